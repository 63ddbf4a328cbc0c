const FULL_TURN = 2 * Math.PI
const NAME_FONT = '600 12px system-ui, sans-serif'
const NAME_HEIGHT_PX = 18
const NAME_HALO_PX = 3
/** Widths of the halo of a disc, and of a ring. */
export const HALO_WIDTH_PX = 1.5
export const RING_WIDTH_PX = 2.5
/** Far more names than a map shows at once. */
const MAX_NAME_PICTURES = 400

/** A picture, and its size in pixels of the map. */
export type Sprite = { picture: HTMLCanvasElement; width: number; height: number }

/** Pictures for one look of the page. A picture is copied in a tenth of the time that drawing it takes. */
export type Sprites = {
  dark: boolean
  /** Pixels of the screen for one of the map. */
  ratio: number
  /**
   * Discs by their colours, and rings for runners who have ended or are silent. Each has a halo that sets it off from
   * the map and the others.
   */
  disc(colour: string, isRing: boolean, radius: number): Sprite
  /** A name with a halo. */
  name(text: string): Sprite
}

/** Creates pictures that are drawn when they are first asked for. */
export function createSprites(dark: boolean, ratio: number): Sprites {
  const halo = haloColour(dark)
  const discs = new Map<number, Map<string, Sprite>>()
  const names = new Map<string, Sprite>()

  function newDisc(kind: number, colour: string, disc: Omit<Disc, 'colour' | 'halo' | 'ratio'>): Sprite {
    const alike = discs.get(kind) ?? new Map<string, Sprite>()
    const sprite = drawDisc({ ...disc, colour, halo, ratio })
    discs.set(kind, alike.set(colour, sprite))
    return sprite
  }
  function newName(text: string): Sprite {
    if (names.size === MAX_NAME_PICTURES) names.clear()
    const sprite = drawName(text, dark ? '#ffffff' : '#1a1b1e', halo, ratio)
    names.set(text, sprite)
    return sprite
  }

  return {
    dark,
    ratio,
    disc(colour, isRing, radius) {
      // A number, because a text would be made anew for every runner in every frame.
      const kind = isRing ? -radius : radius
      return discs.get(kind)?.get(colour) ?? newDisc(kind, colour, { isRing, radius })
    },
    name: (text) => names.get(text) ?? newName(text),
  }
}

/** Returns the colour that sets pictures off from a light or dark map. */
export function haloColour(dark: boolean): string {
  return dark ? '#1a1b1e' : '#ffffff'
}

type Disc = { colour: string; isRing: boolean; radius: number; halo: string; ratio: number }

function drawDisc({ colour, isRing, radius, halo, ratio }: Disc): Sprite {
  const { sprite, context } = blank(radius * 2 + 4, radius * 2 + 4, ratio)
  if (context === null) return sprite
  context.arc(sprite.width / 2, sprite.height / 2, radius, 0, FULL_TURN)
  context.fillStyle = isRing ? halo : colour
  context.strokeStyle = isRing ? colour : halo
  context.lineWidth = isRing ? RING_WIDTH_PX : HALO_WIDTH_PX
  context.fill()
  context.stroke()
  return sprite
}

let measuring: CanvasRenderingContext2D | null | undefined

/** Characters of a name on the map: a longer one would cover its neighbours, and be cut at the edge of a phone. */
const MAX_NAME_CHARACTERS = 26

function shortened(name: string): string {
  const characters = [...name]
  return characters.length <= MAX_NAME_CHARACTERS ? name : `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join('')}…`
}

function drawName(name: string, colour: string, halo: string, ratio: number): Sprite {
  const text = shortened(name)
  measuring ??= document.createElement('canvas').getContext('2d')
  if (measuring !== null) measuring.font = NAME_FONT
  const textWidth = measuring?.measureText(text).width ?? 0
  const { sprite, context } = blank(textWidth + 2 * NAME_HALO_PX, NAME_HEIGHT_PX, ratio)
  if (context === null) return sprite
  context.font = NAME_FONT
  context.textBaseline = 'middle'
  context.lineWidth = NAME_HALO_PX
  context.lineJoin = 'round'
  context.strokeStyle = halo
  context.fillStyle = colour
  context.strokeText(text, NAME_HALO_PX, NAME_HEIGHT_PX / 2)
  context.fillText(text, NAME_HALO_PX, NAME_HEIGHT_PX / 2)
  return sprite
}

function blank(width: number, height: number, ratio: number) {
  const picture = document.createElement('canvas')
  picture.width = Math.ceil(width * ratio)
  picture.height = Math.ceil(height * ratio)
  const context = picture.getContext('2d')
  context?.scale(ratio, ratio)
  return { sprite: { picture, width: picture.width / ratio, height: picture.height / ratio }, context }
}
