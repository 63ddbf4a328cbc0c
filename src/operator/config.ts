/** Settings of the dashboard. */
export const operatorConfig = {
  mapStyleUrl: {
    env: 'MAP_STYLE_URL',
    fallback: '',
    doc: 'Address of a MapLibre style for the maps. Empty: outlines of the countries, which need no internet.',
    read: mapStyleAddress,
  },
  mapOrigins: {
    env: 'MAP_ORIGINS',
    fallback: '',
    doc: 'Origins besides that of MAP_STYLE_URL from which the map loads tiles, fonts and pictures, separated by commas, such as https://tiles.example.org.',
    read: origins,
  },
}

/** With a query, where providers of maps have their keys. */
function mapStyleAddress(value: string): string {
  if (value === '') return ''
  const url = URL.parse(value)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw new Error('must be an http or https address')
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
        throw new Error(`must be a list of origins such as https://tiles.example.org; ${part} is none`)
      return url.origin
    })
}
