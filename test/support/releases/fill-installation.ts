import { setTimeout as wait } from 'node:timers/promises'
import type { Provider } from '../../operator/support/start-provider.ts'
import { makeVectorMap } from '../make-map-file.ts'
import { makePoints } from '../make-points.ts'
import type { WebhookReceiver } from '../webhook-receiver.ts'
import { type Ask, asker, bytes, text } from './asker.ts'
import { fillAccounts, redeemLink } from './fill-accounts.ts'
import { fillLibrary } from './fill-library.ts'
import { fillRace, fillShares } from './fill-race.ts'
import { fillTokens, fillTracks, recordWithPhone } from './fill-tracks.ts'

/** A running installation whose first start has just ended, with what that printed. */
export type EmptyInstallation = {
  url: string
  token: string
  apiKey: string
  /** Token of the sign-in link. */
  signInToken: string
  webhooks: WebhookReceiver
  provider: Provider
}

/** Ids, tokens and addresses of what an installation was filled with, by which it is asked. */
export type Filled = Awaited<ReturnType<typeof fillInstallation>>

/**
 * Fills an installation through its API with everything that the program stores: events, tracks of every
 * state, recordings of phones, a race, links, webhooks, publications in several versions, keys, erasures,
 * and operators with every way to sign in.
 */
export async function fillInstallation({ url, token, apiKey, signInToken, webhooks, provider }: EmptyInstallation) {
  const phone = asker(url, { 'x-api-key': token })
  const publisher = asker(url, { 'x-api-key': apiKey })
  const session = await redeemLink(url, signInToken)
  const operator = asker(url, session)
  const { events } = await operator(200, 'GET', '/operator/events')
  const eventId = text(events[0].id)
  const tokens = await fillTokens(operator, eventId)
  const webhook = await phone(201, 'POST', '/webhooks', { url: webhooks.url }, { 'x-api-key': tokens.manager })
  const tracks = await fillTracks(phone, operator, tokens.manager)
  const recordings = await recordWithPhone(url, token)
  const race = await fillRace(operator, url)
  const shares = await fillShares(operator, eventId, tracks, race)
  const library = await fillLibrary(url, publisher, operator, webhooks)
  const erasure = await fillErasure(phone, operator)
  const map = await fillMap(operator)
  const accounts = await fillAccounts({ url, operator, provider, eventId, workspaceId: library.workspaceId })
  await untilDelivered(operator, `/operator/events/${eventId}/webhooks/${webhook.id}/deliveries`)
  await untilDelivered(publisher, `/publications/webhooks/${library.webhookId}/deliveries`)
  return {
    token,
    apiKey,
    session,
    eventId,
    tokens,
    webhookId: text(webhook.id),
    tracks,
    recordings,
    race,
    shares,
    library,
    erasure,
    accounts,
    map,
  }
}

/** Erases a person in all events, of whom only the receipt is left. */
async function fillErasure(phone: Ask, operator: Ask) {
  const person = { user_id: 'forgotten' }
  const start = Date.UTC(2026, 4, 4, 6)
  await phone(201, 'POST', '/sync', {
    track: { device_track_id: 'forgotten', ...person },
    points: makePoints(5, start),
  })
  await operator(200, 'POST', '/operator/erasures/preview', person)
  const receipt = await operator(201, 'POST', '/operator/erasures', person)
  return { id: text(receipt.id), person }
}

/** Waits until no message is due, so that the log stays as it is. */
async function untilDelivered(ask: Ask, path: string): Promise<void> {
  for (;;) {
    const { deliveries } = (await ask(200, 'GET', path)) as unknown as { deliveries: { status: string }[] }
    if (deliveries.length > 0 && deliveries.every(({ status }) => status === 'delivered')) return
    await wait(50)
  }
}

async function fillMap(operator: Ask) {
  const file = await operator(
    201,
    'POST',
    '/operator/map/files?name=lake.pmtiles',
    bytes(makeVectorMap({ maxZoom: 2 })),
    {
      'content-type': 'application/vnd.pmtiles',
    },
  )
  await operator(200, 'PUT', '/operator/map', { kind: 'file', file_id: file.id, attribution: 'Stored' })
  return { fileId: text(file.id), path: text(file.url).replace(/^https?:\/\/[^/]+/, '') }
}
