import assert from 'node:assert/strict'
import { type StoredRequest, send } from './exchange.ts'

export type Json = { [name: string]: Json }

/** Sends a request, requires its status, and returns the JSON of the answer. */
export type Ask = (
  status: number,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Json>

/** Returns a function that sends requests with these headers and requires their status. */
export function asker(url: string, own: Record<string, string>): Ask {
  return async (status, method, path, body, headers = {}) => {
    const request: StoredRequest = { name: '', method, path, body, headers: { ...own, ...headers } }
    const answer = await send(url, request)
    assert.equal(answer.status, status, `${method} ${path}: ${answer.body}`)
    return answer.body.length === 0 || !/json/.test(answer.headers['content-type'] ?? '')
      ? ({} as Json)
      : JSON.parse(answer.body.toString())
  }
}

export const text = (value: Json): string => String(value)
export const bytes = (content: string | Uint8Array) => `base64:${Buffer.from(content).toString('base64')}`
