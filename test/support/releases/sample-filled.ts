import { randomUUID } from 'node:crypto'
import { STORED_BASE_URL } from './exchange.ts'
import { FROM_PAGE } from './fill-accounts.ts'
import type { Filled } from './fill-installation.ts'
import { createPasskeyDevice } from './passkey-device.ts'

const SIGNED_IN = { ...FROM_PAGE, cookie: 'session=a' }

/** Ids, tokens and addresses of no installation, in the form of those by which a filled one is asked. */
export const SAMPLE_FILLED: Filled = {
  token: 'trk_a',
  apiKey: 'pub_a',
  session: SIGNED_IN,
  eventId: randomUUID(),
  tokens: { manager: 'trk_b', ofPerson: 'trk_c', brief: 'trk_d', revoked: 'trk_e', briefId: randomUUID() },
  webhookId: randomUUID(),
  tracks: {
    merged: randomUUID(),
    loose: randomUUID(),
    paused: randomUUID(),
    synced: randomUUID(),
    trimmed: randomUUID(),
    empty: randomUUID(),
    deleted: randomUUID(),
    imported: randomUUID(),
  },
  recordings: {
    again: ['/in/trk_a/osmand?id=a&lat=46&lon=6&timestamp=1777788000000&altitude=1035.2&batt=80'],
    asGpsLogger: '/in/trk_a/gpslogger?aid=a&lat=46&lon=6&time=2026-05-03T10:00:00Z',
  },
  race: { eventId: randomUUID(), token: 'trk_f', winner: randomUUID() },
  shares: { event: 'shr_a', track: 'shr_b', race: 'shr_c', revoked: 'shr_d' },
  library: {
    workspaceId: randomUUID(),
    otherId: randomUUID(),
    otherKey: 'pub_b',
    webhookId: randomUUID(),
    formerSlug: 'former',
    formerVersionId: randomUUID(),
    id: randomUUID(),
    creation: { title: 'A', storageKey: 'a', pdfPath: 'a.pdf', sourceType: 'pdf' },
    hidden: 'hidden',
    gone: 'gone',
    signedPdf: '/files/a?expires=1&signature=a',
    images: ['/images/a/1-1200.webp'],
    readKey: 'pub_c',
    readKeyId: randomUUID(),
    uploadPath: '/uploads/a',
  },
  erasure: { id: randomUUID(), person: { user_id: 'a' } },
  accounts: {
    unusedLink: 'lnk_a',
    limited: SIGNED_IN,
    withApp: {
      session: SIGNED_IN,
      secret: Buffer.alloc(20),
      recoveryCode: 'a',
      halfSignedIn: [SIGNED_IN, SIGNED_IN],
    },
    withPasskey: {
      session: SIGNED_IN,
      id: 'a',
      signIn: {
        session: SIGNED_IN,
        body: { response: createPasskeyDevice(STORED_BASE_URL).answer('challenge', Buffer.from('a')) },
      },
    },
    ofProvider: SIGNED_IN,
  },
  map: { fileId: 'a', path: '/maps/a.pmtiles' },
}
