import { integer } from '#platform/config.ts'

/** Settings of the dashboard. */
export const operatorConfig = {
  mapStyleUrl: {
    env: 'MAP_STYLE_URL',
    fallback: '',
    doc: 'URL of a MapLibre style for the maps, until an operator chooses a map in the dashboard. If empty, maps show outlines of the countries, which need no internet.',
    read: mapStyleAddress,
  },
  mapOrigins: {
    env: 'MAP_ORIGINS',
    fallback: '',
    doc: 'Further origins from which the map loads tiles, fonts and images, separated by commas, such as https://tiles.example.org. The origin of MAP_STYLE_URL is always allowed.',
    read: origins,
  },
  maxMapFileBytes: {
    env: 'MAX_MAP_FILE_BYTES',
    fallback: '4000000000',
    doc: 'Largest map file that can be uploaded in the dashboard, in bytes. Files in DATA_DIR/maps may be larger.',
    read: integer(1, 1_000_000_000_000),
  },
}

/** Accepts a query, where map providers expect their API key. */
function mapStyleAddress(value: string): string {
  if (value === '') return ''
  const url = URL.parse(value)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw new Error('must be an http or https URL')
  return url.href
}

function origins(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const url = URL.parse(part)
      if (url === null || !['http:', 'https:'].includes(url.protocol) || url.href !== `${url.origin}/`)
        throw new Error(`must be a list of origins such as https://tiles.example.org; ${part} is not an origin`)
      return url.origin
    })
}
