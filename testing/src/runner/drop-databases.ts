import pg from 'pg';

/** Drops all databases of the server whose names begin with the prefix, save `kept`. */
export async function dropDatabases(server: pg.ClientConfig, prefix: string, kept = ''): Promise<void> {
  const admin = new pg.Client({ ...server, database: 'postgres', connectionTimeoutMillis: 5_000 });
  await admin.connect();
  try {
    const { rows } = await admin.query(
      'select datname from pg_database where starts_with(datname, $1) and datname <> $2',
      [prefix, kept],
    );
    for (const { datname } of rows) await admin.query(`drop database if exists ${datname} with (force)`);
  } finally {
    await admin.end();
  }
}
