/** Encoding of elevations in the colours of an image. */
export type ElevationEncoding = 'terrarium' | 'mapbox'

/** Place of a tile in the Web Mercator projection: its zoom level, column from the west and row from the north. */
export type TilePlace = { zoom: number; x: number; y: number }

/** Elevations in a square, as red, green and blue of each pixel, row by row from the north. */
export type TerrainTile = { widthPixels: number; colours: Uint8Array<SharedArrayBuffer> }

/** A file with elevations that operators have chosen. */
export type TerrainFile = {
  /** Names its bytes: 64 hexadecimal digits. */
  contentKey: string
  encoding: ElevationEncoding
  minZoom: number
  maxZoom: number
  /** Standard deviation of its elevations in metres. */
  errorMeters: number
}

/** The terrain, from the service that knows where map files are. */
export type Terrain = {
  /** Returns the chosen file; undefined if there is none. */
  chosen(): Promise<TerrainFile | undefined>
  /** Returns tiles of the file in the order of their places; undefined for one that is missing or cannot be read. */
  tiles(file: TerrainFile, places: readonly TilePlace[]): Promise<(TerrainTile | undefined)[]>
}

/**
 * Returns the elevation of a pixel in metres. The encodings are documented at
 * https://github.com/tilezen/joerd/blob/master/docs/formats.md and
 * https://docs.mapbox.com/data/tilesets/reference/mapbox-terrain-dem-v1.
 */
export function elevationMeters({ colours }: TerrainTile, pixel: number, encoding: ElevationEncoding): number {
  // No array: tracks ask hundreds of thousands of times.
  const red = colours[3 * pixel]
  const green = colours[3 * pixel + 1]
  const blue = colours[3 * pixel + 2]
  return encoding === 'terrarium'
    ? red * 256 + green + blue / 256 - 32_768
    : (red * 65_536 + green * 256 + blue) / 10 - 10_000
}

/** Returns the place of a longitude in the Web Mercator projection, from 0 in the west to 1 in the east. */
export function mercatorX(longitude: number): number {
  return longitude / 360 + 0.5
}

/** Returns the place of a latitude in the Web Mercator projection, from 0 at 85.05 degrees north to 1 in the south. */
export function mercatorY(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}
