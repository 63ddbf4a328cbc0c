import Type from 'typebox'
import type { HttpServer } from '../http-server.ts'
import { sendKept } from '../ranges/kept-text.ts'
import { nameComponents } from './name-components.ts'
import { toOpenApi30 } from './open-api-30.ts'
import type { Document } from './open-api-types.ts'

const DOCUMENT_TYPE = 'application/json; charset=utf-8'

const VersionQuery = Type.Object({ version: Type.Optional(Type.Enum(['3.0', '3.1'])) })

/**
 * Serves an OpenAPI document as JSON: 3.1, or with `?version=3.0` as 3.0.3, which is all that some generators read.
 * Each is built with the first request for it and kept.
 */
export function serveDocument(app: HttpServer, path: string, describe: () => Document): void {
  const versions = {
    '3.0': sendKept(DOCUMENT_TYPE, () => write(describe(), '3.0')),
    '3.1': sendKept(DOCUMENT_TYPE, () => write(describe(), '3.1')),
  }
  app.get(path, { schema: { hide: true, querystring: VersionQuery }, compress: false }, async (request, reply) =>
    versions[request.query.version ?? '3.1'](request, reply),
  )
}

function write(document: Document, version: '3.0' | '3.1'): string {
  const named = nameComponents(document)
  return JSON.stringify(version === '3.0' ? toOpenApi30(named) : named)
}
