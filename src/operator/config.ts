/** Settings of the dashboard. */
export const operatorConfig = {
  mapStyleUrl: {
    env: 'MAP_STYLE_URL',
    fallback: '',
    doc: 'URL of a MapLibre style for the maps. If empty, maps show outlines of the countries, which need no internet.',
    read: mapStyleAddress,
  },
  mapOrigins: {
    env: 'MAP_ORIGINS',
    fallback: '',
    doc: 'Further origins from which the map loads tiles, fonts and images, separated by commas, such as https://tiles.example.org. The origin of MAP_STYLE_URL is always allowed.',
    read: origins,
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
