import { Counter, type Registry } from 'prom-client'
import { AppError, type RefusedCredential } from '../basics/errors.ts'
import type { Logger } from '../basics/logger.ts'
import type { HttpServer } from '../http/http-server.ts'

/** A refused credential, with where it came from. */
export type NotedRefusal = RefusedCredential & { address: string; status: number }

type Options = {
  registry: Registry
  /** Receives each refusal; to be quick, because a flood of them is likely. */
  note(refusal: NotedRefusal): void
}

/**
 * Notes the credentials that are refused anywhere on the server: errors that are thrown name
 * them. To be called before any route is added.
 */
export function observeRefusals(app: HttpServer, { registry, note }: Options): void {
  const refusals = new Counter({
    name: 'refused_credentials_total',
    help: 'Tokens, keys, shares and signed addresses that were refused.',
    labelNames: ['kind'] as const,
    registers: [registry],
  })
  app.addHook('onError', (request, _reply, error, done) => {
    const refused = error instanceof AppError ? error.options.refused : undefined
    if (refused !== undefined) {
      refusals.inc({ kind: refused.kind })
      note({ ...refused, address: request.ip, status: (error as AppError).status })
    }
    done()
  })
}

const LOG_EVERY_MS = 60_000

/** Counts refusals for a line a minute in the log, where there is no audit log. Returns a function that notes them. */
export function logRefusals(logger: Logger): (refusal: NotedRefusal) => void {
  const counts = new Map<string, number>()
  const write = () => {
    logger.warn({ refused: Object.fromEntries(counts) }, 'credentials were refused')
    counts.clear()
  }
  return ({ kind }) => {
    if (counts.size === 0) setTimeout(write, LOG_EVERY_MS).unref()
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
}

/**
 * Finds the name of a thing by its id, for the audit log; undefined if there is none. `withinId` is the id of its
 * owner, such as the event of a token.
 */
export type FindName = (id: string, withinId: string | undefined) => Promise<string | null | undefined>

/** Finds the values of a thing that are neither secret nor positions, for the audit log; undefined if there is none. */
export type FindValues = (
  id: string,
  withinId: string | undefined,
) => Promise<Readonly<Record<string, unknown>> | undefined>

/** Finders of the values of a service's things, by their kind. */
export type ValuesByKind = Readonly<Record<string, FindValues>>

/** Finders of the names of a service's things, by their kind: `event`, `track`. */
export type NamesByKind = Readonly<Record<string, FindName>>
