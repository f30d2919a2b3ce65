/// What a message is answered with, beside the session.
struct Surroundings {
  let configuration: PresentationConfiguration
  let moment: Moment
  let memory: any PresentationMemory
}
