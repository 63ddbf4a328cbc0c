import type { IncomingMessage, RequestListener } from 'node:http'

/**
 * Prepares a request before its route is chosen, and may change its `url`. Returns undefined if there is nothing to
 * wait for. A rejection is the answer to the request.
 */
export type BeforeRouting = (request: IncomingMessage) => Promise<void> | undefined

const failures = new WeakMap<IncomingMessage, unknown>()

/** Returns a listener that prepares each request before it is handled. */
export function routeAfter(prepare: BeforeRouting, handle: RequestListener): RequestListener {
  return (request, response) => {
    const preparing = prepare(request)
    if (preparing === undefined) return handle(request, response)
    void preparing.catch((error) => failures.set(request, error)).then(() => handle(request, response))
  }
}

/** Returns why a request could not be prepared; undefined if it was. */
export function preparingFailed(request: IncomingMessage): Error | undefined {
  return failures.get(request) as Error | undefined
}
