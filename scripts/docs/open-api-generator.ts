import { registerHooks } from 'node:module'

// The generator calls TypeScript's JavaScript API, which TypeScript 7 no longer has; it gets the last release that
// does.
const TYPESCRIPT_API = new URL('typescript-api.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' && context.parentURL?.includes('/@hey-api/') ? TYPESCRIPT_API : specifier, context),
})

/** Loads the generator of code from OpenAPI documents. */
export function openApiGenerator(): Promise<typeof import('@hey-api/openapi-ts')> {
  return import('@hey-api/openapi-ts')
}
