-- Finding namespaces by what a reader advertises, and transcripts that were signed before.
--
-- Both tables hold keyed hashes only. A row of reader_group is a hint: what it leads to is proven
-- through the index, and opening a namespace compares its rows with its pass.

-- Which namespaces have a pass for a group of readers. tag is the start of a keyed hash of the first
-- eight octets of the group's identifier, which is what an advertisement carries.
CREATE TABLE reader_group (
  tag BLOB NOT NULL CHECK (length(tag) = 16),
  namespace_id BLOB NOT NULL REFERENCES namespace (id),
  PRIMARY KEY (tag, namespace_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reader_group_namespace ON reader_group (namespace_id);

-- The transcripts that a namespace has signed for gateways with a protocol stack of their own.
CREATE TABLE signed_transcript (
  namespace_id BLOB NOT NULL REFERENCES namespace (id),
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  PRIMARY KEY (namespace_id, digest)
) STRICT, WITHOUT ROWID;

-- Whether the passes that were stored before this migration have their rows in reader_group. They
-- are written once the keys are there; until then the MAC is that of version 1, which had no such
-- column.
ALTER TABLE state ADD COLUMN groups_indexed INTEGER NOT NULL DEFAULT 0
  CHECK (groups_indexed BETWEEN 0 AND 1);
