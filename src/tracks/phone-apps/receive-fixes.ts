import type { FastifyRequest } from 'fastify'
import { badRequest } from '#platform/errors.ts'
import { pointsQuotaReached } from '../errors.ts'
import { checkLeniently } from '../points/check-leniently.ts'
import { sortPoints } from '../points/point-order.ts'
import { pointsReceipt } from '../representations/points-receipt.ts'
import type { PointsReceipt } from '../schemas/receipt.ts'
import type { EventLimits } from '../storage/event-limits.ts'
import type { PhoneFix, ReadFixes } from './apps/phone-fix.ts'
import type { PhoneRecorder } from './phone-recorder.ts'
import { sendingPhone } from './sending-phone.ts'

/** Most positions in a request: twice the largest batch of Overland. */
const MAX_FIXES = 2000

export type ReceiveDeps = {
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
  { phones, limits, metrics }: ReceiveDeps,
  request: FastifyRequest,
  app: string,
  read: ReadFixes,
): Promise<PointsReceipt> {
  const body = request.bodyBytes ?? Buffer.alloc(0)
  const fixes = read({ query: queryOf(request), body, headers: request.headers })
  if (fixes.length > MAX_FIXES) throw tooMany()
  const { points: valid, rejected } = checkLeniently(fixes.map(({ point }) => point))
  if (valid.count > 0 && limits.isFull(request.appToken.eventId)) throw pointsQuotaReached()
  let storedCount = 0
  for (const [deviceId, ofDevice] of byDevice(fixes)) {
    const { points } = checkLeniently(ofDevice.map(({ point }) => point))
    if (points.count === 0) continue
    const phone = sendingPhone(request.appToken, app, deviceId)
    storedCount += await phones.record(phone, sortPoints(points))
  }
  metrics.pointsReceived(valid.count, body.length)
  return pointsReceipt(valid.count, storedCount, rejected)
}

/** Apps send their own positions only, but the formats allow for several devices. */
function byDevice(fixes: readonly PhoneFix[]): Map<string | undefined, PhoneFix[]> {
  return Map.groupBy(fixes, ({ deviceId }) => deviceId)
}

/** The framework's own parser makes lists of repeated names. */
function queryOf({ raw }: FastifyRequest): URLSearchParams {
  const [, query = ''] = (raw.url ?? '').split(/\?(.*)/s)
  return new URLSearchParams(query)
}

function tooMany() {
  return badRequest({ detail: `A request may have ${MAX_FIXES} positions. Set a smaller batch in the app.` })
}
