import type { HttpServer } from '#platform/http/http-server.ts'
import type { Erasures } from '../../erasure/erasures.ts'
import { eventNotFound } from '../../errors.ts'
import { erasurePreviewJson } from '../../representations/erasure-json.ts'
import { ErasurePreview, ErasureRequest } from '../../schemas/erasures.ts'
import type { EventsStore } from '../../storage/events-store.ts'
import { requireSubject } from './erasure-subject.ts'

type Deps = { events: Pick<EventsStore, 'find'>; erasures: Pick<Erasures, 'preview'> }

/** POST /operator/erasures/preview */
export function previewErasure(app: HttpServer, { events, erasures }: Deps) {
  app.post(
    '/operator/erasures/preview',
    {
      config: { operator: { role: 'owner', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetErasurePreview',
        summary: "Count a person's data",
        description: 'Counts what an erasure would remove. Changes nothing.',
        tags: ['Operator'],
        body: ErasureRequest,
        problems: [eventNotFound],
        response: { 200: ErasurePreview },
      },
    },
    async ({ body }) => erasurePreviewJson(await erasures.preview(await requireSubject(events, body))),
  )
}
