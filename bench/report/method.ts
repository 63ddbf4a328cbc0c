/** The last section of the page, on what the figures mean. */
export const METHOD = `## Method

- The program runs in its own process, started as by \`npm start\`, without a rate limit. Requests come from another process over
  the loopback interface. Both share the cores named above.
- Processor time is that of the threads of the server's process, read from \`/proc\`, divided by the number of requests. It says
  what a unit of work costs whichever other programs run; rates and durations also depend on them. \`main\` serves requests,
  \`computing\` are threads for statistics and large requests, \`V8\` are the runtime's own for compilation and garbage collection,
  \`libuv\` reads and writes files and encodes images, \`libvips\` helps it.
- PostgreSQL's processor time is that of the processes that serve our connections; its log's size is that of
  \`pg_current_wal_insert_lsn\`. A checkpoint precedes the measurement.
- What a batch costs by step comes from a processor profile, which says which share of a thread each folder of the program, package or
  part of Node.js has; the processor time that is shared out is measured without a profile.
- Growth is measured on one server that is filled further and further. Publications beyond the first are copies of its rows.
- Every 204 is durable: SQLite syncs its log first (\`synchronous=FULL\`), and PostgreSQL runs with \`fsync\` and
  \`synchronous_commit\` on.
- Points have every field and come from a simulated run with one point per second: seven decimals of a degree with the drift of
  a phone's receiver, tenths of a metre of altitude and accuracy, and so on; 1.8 MB for 10,000 points.
- Values are medians. Compared programs take turns within one run, so that other load affects all of them equally. Ratios carry
  over to other machines better than times.
- The bare server is the minimum in Node.js: it reads the body and answers 204. The server that appends bodies to a file is the
  minimum that keeps what it acknowledges. Their client writes prepared bytes to a socket and reads only the status.
- The services with a row per point share our HTTP server, authentication and validation. Each request is one transaction: prepared
  inserts in SQLite, one COPY in PostgreSQL.
- Disk use is that of the whole data folder, with indexes and logs, minus that of an empty one. On PostgreSQL it is that of the
  tables and their indexes after \`VACUUM FULL\`, because its log is a fixed cost.
- Memory is the resident set, sampled twenty times per second, or once after ten idle seconds.
- Documents are published through the API. Time starts with the request to create the publication. The first image is fetched as
  a reader would; all pages are readable when \`pages_ready\` says so, and both formats at both widths when the program has
  nothing left to do; then eight readers fetch them all. Other tools, if they are installed, draw the same document at 100 dots
  per inch as PNG on one core, as they always do.
- Uploads are counted, hashed, inspected and synced before they are answered. The bare server writes the same bytes to a file and
  does not sync. Page images come from memory after a first request.
`
