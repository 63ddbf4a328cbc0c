import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import type { HttpServer } from '#platform/http/http-server.ts'

// Loaded into the program under attack. Writes down its routes with their schemas, those without documentation too.

type Part = { type?: string; properties?: Record<string, unknown>; examples?: unknown[] }

/** A route of the program, and what its schemas say of requests. */
export type ListedRoute = {
  method: string
  url: string
  /** Only operators reach it. */
  isForOperators: boolean
  params?: Part
  querystring?: Part
  headers?: Part
  body?: Part
}

if (isMainThread) {
  const routes: ListedRoute[] = []
  let isPlanned = false
  const writeSoon = () => {
    if (isPlanned) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      writeFileSync(process.env.ROUTES_FILE!, JSON.stringify(routes))
    })
  }
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: HttpServer }
    fastify.addHook('onRoute', ({ method, url, schema = {}, config }) => {
      const { params, querystring, headers, body } = schema as Omit<ListedRoute, 'method' | 'url'>
      const isForOperators = config?.operator !== undefined
      for (const name of [method].flat()) {
        routes.push({ method: name, url, isForOperators, params, querystring, headers, body })
      }
      writeSoon()
    })
  })
}
