import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Owner } from './databases.ts'

/** A message as it was received. */
export type ReceivedMessage = {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
  body: string
  headers: Record<string, string>
}

/** Answers a request; `at` counts them from 0. */
type Answer = (response: ServerResponse, message: ReceivedMessage, at: number) => void

export type WebhookReceiver = {
  url: string
  received: ReceivedMessage[]
  /** Waits until this many messages have arrived. */
  until(count: number): Promise<ReceivedMessage[]>
}

/** Starts a receiver of webhooks on this machine, which answers 204. */
export async function startWebhookReceiver(
  owner: Owner,
  answer: Answer = (response) => response.writeHead(204).end(),
): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = []
  const server = createServer(async (request, response) => {
    const message = await read(request)
    received.push(message)
    answer(response, message, received.length - 1)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  owner.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async until(count) {
      while (received.length < count) await wait(10)
      return received
    },
  }
}

/** Verifies a message as receivers do, with the library that the standard provides. @throws if it is not authentic */
export function verifyMessage(secret: string, { body, headers }: ReceivedMessage): void {
  new Webhook(secret).verify(body, headers)
}

async function read(request: IncomingMessage): Promise<ReceivedMessage> {
  const body = await text(request)
  const headers = request.headers as Record<string, string>
  const { type, timestamp, data } = JSON.parse(body)
  return { id: headers['webhook-id'], type, timestamp, data, body, headers }
}
