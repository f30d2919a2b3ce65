-- Finding namespaces by what a reader advertises.
--
-- The table holds keyed hashes only. Its rows are hints: what one leads to is proven through the
-- index, and opening a namespace compares its rows with its pass. That no row is missing is *not*
-- proven by a search: a namespace whose rows were deleted behind the vault's back is not found by
-- advertisements, which is noticed as damage when the namespace is next opened by its name.

-- Which namespaces have a pass for a group of readers. tag is the start of a keyed hash of the first
-- eight octets of the group's identifier, which is what an advertisement carries; keyed says whether
-- the namespace has the group's resolving key, and puts those that have first.
CREATE TABLE reader_group (
  tag BLOB NOT NULL CHECK (length(tag) = 16),
  keyed INTEGER NOT NULL CHECK (keyed BETWEEN 0 AND 1),
  namespace_id BLOB NOT NULL REFERENCES namespace (id),
  PRIMARY KEY (tag, keyed DESC, namespace_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reader_group_namespace ON reader_group (namespace_id);

-- Whether the passes that were stored before this migration have their rows in reader_group. They
-- are written once the keys are there; until then the MAC is that of version 1, which had no such
-- column.
ALTER TABLE state ADD COLUMN groups_indexed INTEGER NOT NULL DEFAULT 0
  CHECK (groups_indexed BETWEEN 0 AND 1);
