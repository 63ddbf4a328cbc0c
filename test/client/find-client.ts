import { registerHooks } from 'node:module'

// Examples import the client as a package. Here it is found in its sources; a process imports this file first.

const SOURCES = new URL('../../clients/typescript/src/', import.meta.url)

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>

/** Finds the modules of the package `@trackpress/client` in the project. */
export const findClient: Resolve = (specifier, context, next) => {
  if (specifier === '@trackpress/client') return next(new URL('track-queue.ts', SOURCES).href, context)
  const [, name] = /^@trackpress\/client\/(\w+(?:-\w+)*-storage)$/.exec(specifier) ?? []
  return next(name === undefined ? specifier : new URL(`storage/${name}.ts`, SOURCES).href, context)
}

registerHooks({ resolve: findClient })
