/// What a message is answered with, beside the session.
struct Surroundings {
  let configuration: PresentationConfiguration
  /// What becomes of a demand that the user be authenticated, now.
  let userAuthentication: UserAuthentication
  let moment: Moment
  let memory: any PresentationMemory
}
