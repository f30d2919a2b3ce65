-- Finding by what a reader advertises only the namespaces that a caller may know of.
--
-- The rows have the namespace's name too, so that the search steps over all others, however many
-- there are. They are hints as before: the name is proven through the index, and opening a namespace
-- compares it.

DROP INDEX reader_group_namespace;
ALTER TABLE reader_group RENAME TO reader_group_2;

-- Which namespaces have a pass for a group of readers. tag is the start of a keyed hash of the first
-- eight octets of the group's identifier, which is what an advertisement carries; keyed says whether
-- the namespace has the group's resolving key, and puts those that have first.
CREATE TABLE reader_group (
  tag BLOB NOT NULL CHECK (length(tag) = 16),
  keyed INTEGER NOT NULL CHECK (keyed BETWEEN 0 AND 1),
  name TEXT NOT NULL,
  namespace_id BLOB NOT NULL REFERENCES namespace (id),
  PRIMARY KEY (tag, keyed DESC, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX reader_group_namespace ON reader_group (namespace_id);

INSERT INTO reader_group
  SELECT found.tag, found.keyed, namespace.name, found.namespace_id
  FROM reader_group_2 AS found JOIN namespace ON namespace.id = found.namespace_id;
DROP TABLE reader_group_2;
