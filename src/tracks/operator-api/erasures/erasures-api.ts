import type { HttpServer } from '#platform/http/http-server.ts'
import { createErasure } from './create-erasure.ts'
import { getErasure } from './get-erasure.ts'
import { listErasures } from './list-erasures.ts'
import { previewErasure } from './preview-erasure.ts'
import { verifyErasure } from './verify-erasure.ts'

type Deps = Parameters<typeof previewErasure>[1] &
  Parameters<typeof createErasure>[1] &
  Parameters<typeof listErasures>[1] &
  Parameters<typeof verifyErasure>[1]

/** Registers the erasure of people's data. In a scope of its own, because its addresses are not those of an event. */
export function erasuresApi(app: HttpServer, deps: Deps): void {
  previewErasure(app, deps)
  createErasure(app, deps)
  listErasures(app, deps)
  getErasure(app, deps)
  verifyErasure(app, deps)
}
