import { Readable } from 'node:stream'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { streamed } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Addresses } from '../domain/addresses.ts'
import { listedJson } from '../representations/publication-json.ts'
import { PublicationList } from '../schemas/publication.ts'
import type { Publication, PublicationsStore } from '../storage/publications-store.ts'

/** Publications read at once: a few milliseconds of the main thread, and 100 kB of JSON. */
const PUBLICATIONS_PER_READ = 250

/** Publications read before the response begins, so that it begins soon. */
const PUBLICATIONS_READ_FIRST = 50

type Deps = { publications: Pick<PublicationsStore, 'list'>; addresses: Addresses }

/** GET /publications */
export function listPublications(app: HttpServer, deps: Deps) {
  app.get(
    '/publications',
    {
      schema: {
        operationId: 'listPublications',
        summary: 'List publications',
        description:
          'Returns all publications of the workspace, newest first, including unpublished ones. Streams them, however many; if it fails midway, the connection breaks off and the array has no end.',
        tags: ['Publications'],
        permission: 'read',
        response: { 200: streamed(PublicationList) },
      },
      // The answer is written piece by piece. The schema describes it.
      serializerCompiler: () => JSON.stringify,
    },
    async ({ workspaceId }, reply) => {
      // Read before the answer begins, so that a database that is away is an answer of its own.
      const first = await deps.publications.list(workspaceId, undefined, PUBLICATIONS_READ_FIRST)
      reply.type('application/json; charset=utf-8')
      return reply.send(Readable.from(writeList(deps, workspaceId, first), { objectMode: false }))
    },
  )
}

/**
 * Writes the array piece by piece. Time of creation and id never change, so that each publication that is there all the
 * time is listed once, whatever is created, changed or deleted meanwhile.
 */
async function* writeList(
  { publications, addresses }: Deps,
  workspaceId: string,
  first: readonly Publication[],
): AsyncGenerator<string> {
  let rows = first
  let start = '['
  while (rows.length > 0) {
    yield start + rows.map((row) => JSON.stringify(listedJson(row, addresses))).join(',')
    start = ','
    await letOthersRun()
    rows = await publications.list(workspaceId, rows[rows.length - 1], PUBLICATIONS_PER_READ)
  }
  yield start === '[' ? '[]' : ']'
}
