import type { Figure } from './figure.ts'

/** Figures for the terminal, three lines each at most. */
export function reportTable(figures: readonly Figure[]): string {
  return figures
    .map(({ what, measured, beside, target }) => {
      const notes = [beside, target].filter((note) => note !== '').join('; ')
      return `  ${what}\n    ${measured}${notes === '' ? '' : `  (${notes})`}\n`
    })
    .join('')
}

/** The page of the documentation. */
export function reportMarkdown(machine: readonly string[], results: { engine: string; figures: Figure[] }[]): string {
  const tables = results.map(({ engine, figures }) =>
    [
      `## ${engine}`,
      '',
      '| | measured | beside | target |',
      '|---|---|---|---|',
      ...figures.map(({ what, measured, beside, target }) => `| ${what} | ${measured} | ${beside} | ${target} |`),
    ].join('\n'),
  )
  return `# Performance

Written by \`npm run bench\`, which measures again on your machine in some minutes.

${machine.map((line) => `- ${line}`).join('\n')}

${tables.join('\n\n')}

${METHOD}
`
}

const METHOD = `## What falls short

- **10,000 points in one request** are at the edge of the target: 2.8 to 3.4 times JSON.parse on SQLite from one run to the
  next on the same machine, and 3.2 to 4.3 on PostgreSQL.
- **Small batches** stay below their target. On two cores the client, the thread that serves requests and the thread that
  writes SQLite share what the bare server and its client have to themselves. By processor time the serving thread takes
  about three quarters of what a batch costs without the client, spread over many parts of which none stands out:
  writing the answer to the socket, reading HTTP, checking the token and the limit, scanning, coding, a message to the
  writer. More cores help until that thread is full; more instances on PostgreSQL help beyond.
- **PostgreSQL** takes four exchanges for a transaction of points, one after the other; many requests for one track at
  once wait for each other's lock on it. That is why small batches take about twice as long as on SQLite.

## How it is measured

- The program runs as a process of its own, started as \`npm start\` does, without a rate limit; requests come from
  another process over the loopback interface. Both share the cores named above.
- Every 204 is durable: SQLite syncs its log before it (\`synchronous=FULL\`), PostgreSQL runs with \`fsync\` and
  \`synchronous_commit\` on.
- Points have every field and come from a simulated run of one point a second: seven decimals of a degree with the
  drift of a phone's receiver, tenths of a metre of altitude and accuracy, and so on; 1.8 MB for 10,000 points.
- Times are medians. What is compared is measured in turns within one run, so that whatever else the machine does hits
  all alike; ratios travel between machines better than times do.
- The bare server is the least that Node.js can do: read the body and answer 204. Its client writes prepared bytes to a
  socket and looks at the status only.
- The service with a row for each point shares our HTTP server, authentication and validation; each request is one
  transaction in SQLite, synced to disk.
- Disk use is that of the whole data folder, with indexes and logs, less that of an empty one; on PostgreSQL that of the
  tables and their indexes after \`VACUUM FULL\`, as its own log is a fixed cost.
- Memory is the resident set, sampled twenty times a second.
- Documents are published through the API. Time counts from the request to create the publication, which has the file
  opened; the first image is fetched as a reader would, all pages are there when \`pages_ready\` says so. poppler's
  \`pdftoppm -r 100 -png\` draws the same document afterwards on the same machine, with one core, as it does.
- Uploads are counted, hashed, looked at and synced before they are answered; the bare server writes the same bytes to a
  file and syncs nothing. Page images come from memory after they were asked for once.
`
