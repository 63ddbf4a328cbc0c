import { Group, Text, useComputedColorScheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'

/** The letters of the two tracks on map, charts and in words. */
export const LETTERS = ['A', 'B'] as const

/** The first or the second of the two tracks. */
export type Side = 0 | 1

/** Blue and orange are told apart with every kind of colour blindness. */
export const SIDE_COLOURS = { light: ['#1864ab', '#d9480f'], dark: ['#4dabf7', '#ff922b'] } as const

/** A canvas does not take part in forced colours by itself; it understands the names of the system's colours. */
const FORCED = ['CanvasText', 'LinkText'] as const

/** Returns the colours of the two tracks, which follow the colour scheme and forced colours. */
export function useSideColours(): readonly [string, string] {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const isForced = useMediaQuery('(forced-colors: active)', false, { getInitialValueInEffect: false })
  return isForced ? FORCED : SIDE_COLOURS[scheme]
}

/** A letter with a piece of its line, solid or dashed. */
export function SideMark({ side }: { side: Side }) {
  const colour = useSideColours()[side]
  return (
    <Group gap={6} wrap="nowrap" component="span" display="inline-flex" style={{ verticalAlign: 'middle' }}>
      <svg width={28} height={8} aria-hidden style={{ flex: 'none', forcedColorAdjust: 'none' }}>
        <line x1={0} x2={28} y1={4} y2={4} stroke={colour} strokeWidth={3} strokeDasharray={side === 1 ? '7 4' : ''} />
      </svg>
      <Text span fw={700} inherit>
        {LETTERS[side]}
      </Text>
    </Group>
  )
}
