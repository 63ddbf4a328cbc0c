import { isForPhones } from '../../../src/tracks/model/event-rules.ts'
import { type PhoneLinks, type PhoneSystem, phoneLinks } from '../../../src/tracks/phones/phone-links.ts'
import type { AppToken } from '../generated/types.gen.ts'
import type { Key } from '../i18n/en.ts'

/** An app that people have already: its address, and how to set it up. */
export type PhoneApp = PhoneLinks & {
  /** Content of the QR code: the link where a camera or the app opens it, otherwise the address to paste. */
  qrText: string
  steps: readonly Key[]
}

const SYSTEMS: Record<PhoneSystem, string> = { android: 'Android', ios: 'iOS' }

/** Returns the systems of an app as a text. */
export function systemsText({ systems }: PhoneLinks): string {
  return systems.map((system) => SYSTEMS[system]).join(', ')
}

/**
 * Returns the apps with the addresses of a token. With `isForOne`, the token belongs to one
 * person, and the app needs no id of the device.
 */
export function phoneApps(baseUrl: string, token: string, isForOne: boolean): PhoneApp[] {
  return phoneLinks(baseUrl, token, isForOne).map((app) => ({
    ...app,
    // GPSLogger takes its link from a page in a browser only.
    qrText: app.name === 'gpslogger' ? app.address : (app.setupLink ?? app.address),
    steps: stepsOf(app.name, isForOne),
  }))
}

function stepsOf(name: PhoneLinks['name'], isForOne: boolean): Key[] {
  const second = isForOne && (name === 'owntracks' || name === 'osmand') ? 'One' : ''
  return [`phones.${name}1`, `phones.${name}2${second}`, `phones.${name}3`] as Key[]
}

/**
 * Returns the tokens for phones: those of one person first, because nobody can record in another's name with them, and
 * of each kind those that only record.
 */
export function phoneTokens(tokens: readonly AppToken[]): AppToken[] {
  return tokens.filter(isForPhones).sort((a, b) => rank(a) - rank(b))
}

function rank({ permissions, user_id }: AppToken): number {
  return (user_id === null ? 2 : 0) + (permissions.includes('read') ? 1 : 0)
}
