import type { FastifyRequest } from 'fastify'
import type { BodyReader } from '../computing/reading/body-reader.ts'
import { pointsQuotaReached } from '../errors.ts'
import { pointsReceipt } from '../representations/points-receipt.ts'
import type { PointsReceipt } from '../schemas/receipt.ts'
import type { EventLimits } from '../storage/event-limits.ts'
import type { PhoneAppName } from '../wire/apps/read-phone-batch.ts'
import type { PhoneRecorder } from './phone-recorder.ts'
import { sendingPhone } from './sending-phone.ts'

export type ReceiveDeps = {
  bodies: Pick<BodyReader, 'readPhoneBatch'>
  phones: PhoneRecorder
  limits: Pick<EventLimits, 'isFull'>
  metrics: { pointsReceived(points: number, bytes: number): void }
}

/**
 * Reads the positions of a request and stores the valid ones, in tracks of the devices that they
 * name. When it resolves, they are on disk.
 * @throws badRequest for a body that cannot be read; pointsQuotaReached and the errors of `PhoneRecorder.record`
 */
export async function receiveFixes(
  { bodies, phones, limits, metrics }: ReceiveDeps,
  request: FastifyRequest,
  app: PhoneAppName,
): Promise<PointsReceipt> {
  const { appToken, tokenHash, headers } = request
  const body = request.bodyBytes ?? Buffer.alloc(0)
  const bytes = body.length
  const sent = { query: queryOf(request), body, headers }
  const { devices, count, rejected } = await bodies.readPhoneBatch(app, sent, {
    eventId: appToken.eventId,
    person: tokenHash,
  })
  if (count > 0 && limits.isFull(appToken.eventId)) throw pointsQuotaReached()
  let storedCount = 0
  for (const { deviceId, points } of devices) {
    storedCount += await phones.record(sendingPhone(appToken, app, deviceId), points)
  }
  metrics.pointsReceived(count, bytes)
  return pointsReceipt(count, storedCount, rejected)
}

/** The framework's own parser makes lists of repeated names. */
function queryOf({ raw: { url = '' } }: FastifyRequest): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}
