const LIVE_MAP = /^\/dashboard\/events\/([\da-f-]{36})\/?$/

/** Returns the id of the event whose live map is at an address; undefined for every other page. */
export function eventOnMap(pathname: string): string | undefined {
  return LIVE_MAP.exec(pathname)?.[1]
}
