import type { ErrorDefinition } from '#platform/errors.ts'
import * as platformErrors from '#platform/errors.ts'
import * as bodyErrors from '#platform/http/bodies/body-speed.ts'
import * as guardErrors from '#platform/http/operators/operator-errors.ts'
import * as blobErrors from '#platform/http/ranges/send-blob.ts'
import * as webhookErrors from '#platform/webhooks/routes/webhook-errors.ts'
import * as operatorErrors from '../../src/operator/errors.ts'
import * as publicationsErrors from '../../src/publications/errors.ts'
import * as tracksErrors from '../../src/tracks/errors.ts'

/** The files that define errors, by the service they belong to. */
export const errorModules: Record<string, { file: string; exports: object }[]> = {
  'Every service': [
    { file: 'src/platform/errors.ts', exports: platformErrors },
    { file: 'src/platform/http/bodies/body-speed.ts', exports: bodyErrors },
    { file: 'src/platform/http/ranges/send-blob.ts', exports: blobErrors },
    { file: 'src/platform/webhooks/routes/webhook-errors.ts', exports: webhookErrors },
  ],
  'Track recording': [{ file: 'src/tracks/errors.ts', exports: tracksErrors }],
  Publication: [{ file: 'src/publications/errors.ts', exports: publicationsErrors }],
  'The dashboard': [
    { file: 'src/operator/errors.ts', exports: operatorErrors },
    { file: 'src/platform/http/operators/operator-errors.ts', exports: guardErrors },
  ],
}

/** The errors of each service, sorted by status. */
export const definedErrors: Record<string, ErrorDefinition[]> = Object.fromEntries(
  Object.entries(errorModules).map(([part, modules]) => [
    part,
    modules
      .flatMap(({ exports }) => Object.values(exports).filter(isDefinition))
      .sort((a, b) => a.status - b.status || a.message.localeCompare(b.message)),
  ]),
)

function isDefinition(value: unknown): value is ErrorDefinition {
  return typeof value === 'function' && 'code' in value && 'status' in value
}
