/** Dimensions of an A4 page, in points of 1/72 inch. */
export const SHEET = { width: 595.28, height: 841.89, left: 76, right: 76, top: 76, bottom: 84 } as const

export const TEXT_WIDTH = SHEET.width - SHEET.left - SHEET.right

export const COLOURS = {
  ink: '#1d2733',
  quiet: '#5d6b7a',
  rule: '#d7dee6',
  tint: '#f3f6f9',
  link: '#0b5fa5',
} as const

/** Font sizes with their line heights. */
export const TYPE = {
  text: { size: 10, leading: 15.5 },
  cell: { size: 8.8, leading: 12.8 },
  code: { size: 8.3, leading: 12 },
  heading: [
    { size: 22, leading: 28, above: 0, below: 12 },
    { size: 15, leading: 20, above: 24, below: 7 },
    { size: 11.5, leading: 16, above: 16, below: 5 },
  ],
} as const
