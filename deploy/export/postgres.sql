-- The tables of `campanile export` in PostgreSQL with pgvector: the table, and the question that is asked of it.
CREATE EXTENSION IF NOT EXISTS vector;
DROP TABLE IF EXISTS passages;
CREATE TABLE passages (
  id bigint PRIMARY KEY,
  document bigint NOT NULL,
  path text NOT NULL,
  title text NOT NULL,
  url text,
  headings text[] NOT NULL,
  anchor text,
  page integer,
  text text NOT NULL,
  "start" bigint NOT NULL,
  "end" bigint NOT NULL,
  hash text NOT NULL,
  also_in text[] NOT NULL,
  level text NOT NULL,
  kind text NOT NULL,
  subtype text,
  courses text[] NOT NULL,
  programmes text[] NOT NULL,
  departments text[] NOT NULL,
  faculties text[] NOT NULL,
  specialisations text[] NOT NULL,
  batches text[] NOT NULL,
  study_years text[] NOT NULL,
  study_semesters text[] NOT NULL,
  audience text NOT NULL,
  date date,
  valid_from date,
  valid_until date,
  is_superseded boolean NOT NULL,
  vector vector(384) NOT NULL,
  -- Headings say what a passage is about, often better than its own words.
  words tsvector GENERATED ALWAYS AS (
    setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', text), 'B')
  ) STORED
);
CREATE INDEX passages_words ON passages USING gin (words);
CREATE INDEX passages_vector ON passages USING hnsw (vector vector_cosine_ops);

-- The passages for a question, best first: by words and by meaning, fused by reciprocal ranks. A passage needs one word of
-- the question, not all of them; what a newer edition has taken the place of is not searched, as on the site.
CREATE OR REPLACE FUNCTION search_passages(question text, asked vector, wanted integer DEFAULT 10)
RETURNS TABLE (id bigint, score double precision) LANGUAGE sql STABLE AS $$
  WITH terms AS (
    SELECT replace(plainto_tsquery('english', question)::text, '&', '|')::tsquery AS query
  ), by_words AS (
    SELECT passages.id, row_number() OVER (ORDER BY ts_rank_cd(words, query) DESC, passages.id) AS place
    FROM passages, terms
    WHERE NOT is_superseded AND words @@ query
    ORDER BY place LIMIT 50
  ), by_meaning AS (
    SELECT nearest.id, row_number() OVER (ORDER BY distance, nearest.id) AS place
    FROM (
      SELECT passages.id, vector <=> asked AS distance FROM passages
      WHERE NOT is_superseded ORDER BY vector <=> asked LIMIT 50
    ) AS nearest
  )
  SELECT found.id, sum(1.0 / (60 + place))::double precision AS score
  FROM (SELECT * FROM by_words UNION ALL SELECT * FROM by_meaning) AS found
  GROUP BY found.id ORDER BY score DESC, found.id LIMIT wanted
$$;
