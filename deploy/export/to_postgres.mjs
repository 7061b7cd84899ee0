// Loads the tables of `campanile export` into PostgreSQL with pgvector: into a folder, without a server (PGlite), or as
// SQL for one.
//
//   node to_postgres.mjs TABLES FOLDER [--compare]
//   node to_postgres.mjs TABLES --sql | psql DATABASE
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';

/** The version of the columns that this script knows. */
const COLUMNS = '1';
/** So many passages are compared for each question. */
const COMPARED = 10;

const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith('--'));
const [tables, folder] = words.filter((word) => !word.startsWith('--'));
if (!tables || (!folder && !flags.includes('--sql'))) {
  console.error('usage: node to_postgres.mjs TABLES FOLDER [--compare]\n       node to_postgres.mjs TABLES --sql');
  process.exit(2);
}

/** One table, its rows as objects. */
async function read(name) {
  const file = await asyncBufferFromFile(join(tables, name));
  const metadata = await parquetMetadataAsync(file);
  const stated = metadata.key_value_metadata?.find(({ key }) => key === 'campanile.columns')?.value;
  if (stated !== COLUMNS)
    throw new Error(`${name} has columns of version ${stated}; this script knows version ${COLUMNS}`);
  return parquetReadObjects({ file, metadata });
}

/** A value as COPY reads it in CSV: nothing for null. */
function field(value, name) {
  if (value === null || value === undefined) return '';
  if (name === 'vector') return quoted(`[${[...value].join(',')}]`);
  if (Array.isArray(value)) return quoted(`{${value.map((item) => JSON.stringify(String(item))).join(',')}}`);
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return quoted(String(value));
}

const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

const began = performance.now();
const rows = await read('passages.parquet');
const [first] = rows;
if (!first?.vector) throw new Error('the site was built without an encoder, so its passages have no vectors');
const names = Object.keys(first);
const columns = names.map((name) => `"${name}"`).join(', ');
const csv = rows.map((row) => names.map((name) => field(row[name], name)).join(',')).join('\n');
const sql = (await readFile(new URL('postgres.sql', import.meta.url), 'utf8')).replaceAll(
  'vector(384)',
  `vector(${first.vector.length})`,
);

if (flags.includes('--sql')) {
  process.stdout.write(`${sql}\nCOPY passages (${columns}) FROM STDIN WITH (FORMAT csv);\n${csv}\n\\.\n`);
} else {
  const database = await PGlite.create(folder, { extensions: { vector } });
  await database.exec(sql);
  await database.query(`COPY passages (${columns}) FROM '/dev/blob' WITH (FORMAT csv)`, [], { blob: new Blob([csv]) });
  await database.exec('ANALYZE passages');
  const loaded = (performance.now() - began) / 1000;
  if (flags.includes('--compare')) await compare(database, loaded);
  else console.log(`${rows.length} passages in the table \`passages\` of ${folder}`);
  await database.close();
}

/** Asks the questions and says how much of what the site finds is found here. */
async function compare(database, loaded) {
  const [shares, firsts, within, times] = [[], [], [], []];
  for (const question of await read('questions.parquet')) {
    const started = performance.now();
    const { rows } = await database.query('SELECT id FROM search_passages($1, $2, $3)', [
      question.question,
      `[${[...question.vector].join(',')}]`,
      COMPARED,
    ]);
    times.push(performance.now() - started);
    const found = rows.map(({ id }) => Number(id));
    const site = [...question.found].map(Number);
    shares.push(site.filter((id) => found.includes(id)).length / Math.max(site.length, 1));
    firsts.push(Number(site[0] === found[0]));
    within.push(Number(found.includes(site[0])));
  }
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const { dependencies } = JSON.parse(await readFile(new URL('package.json', import.meta.url), 'utf8'));
  console.log(
    JSON.stringify({
      engine: `PostgreSQL with pgvector (PGlite ${dependencies['@electric-sql/pglite']})`,
      questions: shares.length,
      overlap: mean(shares),
      same_first: mean(firsts),
      first_within: mean(within),
      median_ms: times.sort((left, right) => left - right)[times.length >> 1],
      load_seconds: loaded,
    }),
  );
}
