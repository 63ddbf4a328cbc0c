import { plainDecimal } from '../track/plain-decimal.ts'

/** Namespace of the fields that a format has no name for. */
export const TRACKPRESS_NAMESPACE = 'xmlns:trackpress="urn:trackpress:point:1"'

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** Escapes text for XML 1.0, which cannot contain most control characters in any spelling (2.2); they become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
}

/** Returns an element with a value; nothing for null and NaN, which mean an absent field. */
export function element(name: string, value: number | string | null): string {
  if (value === null || Number.isNaN(value)) return ''
  return `<${name}>${typeof value === 'number' ? plainDecimal(value) : escapeXml(value)}</${name}>`
}

/** Returns a longitude in degrees. GPX and TCX have no 180, only the -180 of the same meridian. */
export function longitudeText(longitude: number): string {
  return plainDecimal(longitude === 180 ? -180 : longitude)
}
