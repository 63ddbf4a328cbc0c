import { Table, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/format.ts'
import { SplitName, SplitsTable } from '../tracks/splits.tsx'
import { gapWord } from './comparison-bands.ts'
import type { ComparedSplit } from './gap-over-distance.ts'
import { SideMark } from './sides.tsx'

type ComparedSplitsProps = {
  splits: readonly ComparedSplit[]
  /** The place of the cursor along the way; undefined without one. */
  cursorM: number | undefined
  /** A split was chosen. */
  onPick(split: ComparedSplit): void
}

/** The kilometers or miles of two tracks side by side: who was faster on each, and who is ahead at its end. */
export function ComparedSplits({ splits, cursorM, onPick }: ComparedSplitsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (splits.length === 0) return null
  const time = (sec: number | null) => (sec === null ? '–' : format.duration(sec))
  const gap = (sec: number | null) => (sec === null ? '–' : gapWord(sec, format))
  return (
    <SplitsTable
      className="compared-splits"
      heading={
        <Title order={3} size="h4" mb="sm">
          {t('splits.title')}
        </Title>
      }
      columns={
        <>
          <Table.Th>
            <SideMark side={0} />
          </Table.Th>
          <Table.Th>
            <SideMark side={1} />
          </Table.Th>
          <Table.Th>{t('comparison.faster')}</Table.Th>
          <Table.Th>{t('comparison.ahead')}</Table.Th>
        </>
      }
    >
      {splits.map((split) => {
        const name = format.number(split.toM / format.units.metersPerFar)
        const isAtCursor = cursorM !== undefined && cursorM > split.fromM && cursorM <= split.toM
        return (
          <Table.Tr key={split.toM} onClick={() => onPick(split)} data-at-cursor={isAtCursor || undefined}>
            <SplitName
              label={t('comparison.showSplit', { place: `${name} ${format.units.far}` })}
              onSelect={() => onPick(split)}
            >
              {name}
            </SplitName>
            <Table.Td>{time(split.sec[0])}</Table.Td>
            <Table.Td>{time(split.sec[1])}</Table.Td>
            <Table.Td>{gap(split.differenceSec)}</Table.Td>
            <Table.Td>
              <Text span inherit fw={600}>
                {gap(split.gapSec)}
              </Text>
            </Table.Td>
          </Table.Tr>
        )
      })}
    </SplitsTable>
  )
}
