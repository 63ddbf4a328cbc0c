import { type RefObject, useEffect, useRef } from 'react'
import type { PaintedMap } from '../../map/painted-map.ts'
import { type Covered, coverMap } from './painter.ts'
import type { Player } from './player.ts'

/**
 * Lays a picture of the runners over a map, and paints it again as often as the player moves.
 * @returns the picture while there is one, to be painted when anything else has changed
 */
export function useCover(
  map: PaintedMap | undefined,
  player: Player,
  covered: Covered,
): RefObject<ReturnType<typeof coverMap> | undefined> {
  const cover = useRef<ReturnType<typeof coverMap>>(undefined)
  const latest = useRef(covered)
  latest.current = covered
  const { isStill } = covered
  useEffect(() => {
    if (map === undefined) return
    const made = coverMap(map, {
      scene: () => latest.current.scene(),
      onSelect: (id) => latest.current.onSelect(id),
      isStill,
    })
    cover.current = made
    const leave = player.subscribe(made.tick)
    return () => {
      leave()
      made.remove()
      cover.current = undefined
    }
  }, [map, player, isStill])
  return cover
}
