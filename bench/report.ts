import type { Figure } from './figure.ts'

/** Formats results for the terminal, in at most three lines each. */
export function reportTable(figures: readonly Figure[]): string {
  return figures
    .map(({ what, measured, beside, target }) => {
      const notes = [beside, target].filter((note) => note !== '').join('; ')
      return `  ${what}\n    ${measured}${notes === '' ? '' : `  (${notes})`}\n`
    })
    .join('')
}

/** Formats results as a page of the documentation. */
export function reportMarkdown(machine: readonly string[], results: { engine: string; figures: Figure[] }[]): string {
  const tables = results.map(({ engine, figures }) =>
    [
      `## ${engine}`,
      '',
      '| | measured | compared with | target |',
      '|---|---|---|---|',
      ...figures.map(({ what, measured, beside, target }) => `| ${what} | ${measured} | ${beside} | ${target} |`),
    ].join('\n'),
  )
  return `# Performance

\`npm run bench\` writes this page. It takes some minutes on your machine.

${machine.map((line) => `- ${line}`).join('\n')}

${tables.join('\n\n')}

${METHOD}
`
}

const METHOD = `## Below target

- **10,000 points in one request** are at the edge of the target: 2.8 to 3.4 times JSON.parse on SQLite between runs on the same
  machine, and 3.2 to 4.3 on PostgreSQL.
- **Small batches** are below their target. On two cores, the client, the thread that serves requests and the thread that writes
  SQLite share what the bare server and its client have to themselves. Without the client, the serving thread takes about three
  quarters of the processor time of a batch. No single part stands out: writing the response to the socket, reading HTTP,
  checking the token and the limit, scanning, encoding, a message to the writer. More cores help until that thread is busy;
  beyond that, more instances on PostgreSQL help.
- **PostgreSQL** needs four round trips for a transaction of points. Concurrent requests for one track wait for each other's
  lock on it. Small batches therefore take about twice as long as on SQLite.

## Method

- The program runs in its own process, started as by \`npm start\`, without a rate limit. Requests come from another process over
  the loopback interface. Both share the cores named above.
- Every 204 is durable: SQLite syncs its log first (\`synchronous=FULL\`), and PostgreSQL runs with \`fsync\` and
  \`synchronous_commit\` on.
- Points have every field and come from a simulated run with one point per second: seven decimals of a degree with the drift of
  a phone's receiver, tenths of a metre of altitude and accuracy, and so on; 1.8 MB for 10,000 points.
- Times are medians. Compared programs take turns within one run, so that other load affects all of them equally. Ratios carry
  over to other machines better than times.
- The bare server is the minimum in Node.js: it reads the body and answers 204. Its client writes prepared bytes to a socket and
  reads only the status.
- The service with a row per point shares our HTTP server, authentication and validation. Each request is one transaction in
  SQLite, synced to disk.
- Disk use is that of the whole data folder, with indexes and logs, minus that of an empty one. On PostgreSQL it is that of the
  tables and their indexes after \`VACUUM FULL\`, because its log is a fixed cost.
- Memory is the resident set, sampled twenty times per second.
- Documents are published through the API. Time starts with the request to create the publication, which opens the file. The
  first image is fetched as a reader would; all pages are complete when \`pages_ready\` says so. Afterwards poppler's
  \`pdftoppm -r 100 -png\` draws the same document on the same machine, on one core as it always does.
- Uploads are counted, hashed, inspected and synced before they are answered. The bare server writes the same bytes to a file and
  does not sync. Page images come from memory after a first request.
`
