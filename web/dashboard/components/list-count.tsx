import { Text } from '@mantine/core'
import { useFormat } from '../i18n/format.ts'

type ListCountProps = {
  shown: number
  total: number
  /** The text while only a part of the list is loaded. */
  partLabel(figures: { shown: string; total: string }): string
  allLabel(counted: { count: number; figure: string }): string
}

/** The length of a list below it, and how much of it is loaded. Says nothing about an empty list. */
export function ListCount({ shown, total, partLabel, allLabel }: ListCountProps) {
  const format = useFormat()
  const figure = format.count(total)
  return (
    <Text size="sm" c="dimmed" role="status" className="figures">
      {total > 0 &&
        (shown < total ? partLabel({ shown: format.count(shown), total: figure }) : allLabel({ count: total, figure }))}
    </Text>
  )
}
