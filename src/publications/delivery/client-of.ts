import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import type { ImageClient } from '../rendering/jobs/image-maker.ts'

/** Returns the client of a request, whose signal aborts when it disconnects. */
export function clientOf({ ip }: FastifyRequest, reply: FastifyReply): ImageClient {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  return { caller: addressGroup(ip), signal: controller.signal }
}
