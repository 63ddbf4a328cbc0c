import { Table, Text, Title, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/format.ts'
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
    <section aria-label={t('splits.title')} className="splits-section compared-splits">
      <Title order={3} size="h4" mb="sm">
        {t('splits.title')}
      </Title>
      <Table.ScrollContainer
        minWidth={0}
        maxHeight="var(--splits-height)"
        scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      >
        <Table
          withTableBorder
          bg="var(--panel-background)"
          className="figures splits"
          verticalSpacing={2}
          horizontalSpacing="xs"
          stickyHeader
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{format.units.far}</Table.Th>
              <Table.Th>
                <SideMark side={0} />
              </Table.Th>
              <Table.Th>
                <SideMark side={1} />
              </Table.Th>
              <Table.Th>{t('comparison.faster')}</Table.Th>
              <Table.Th>{t('comparison.ahead')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {splits.map((split) => {
              const name = format.number(split.toM / format.units.metersPerFar)
              const isAtCursor = cursorM !== undefined && cursorM > split.fromM && cursorM <= split.toM
              return (
                <Table.Tr key={split.toM} onClick={() => onPick(split)} data-at-cursor={isAtCursor || undefined}>
                  <Table.Th scope="row" fw={500}>
                    <UnstyledButton
                      fz="sm"
                      fw={500}
                      aria-label={t('comparison.showSplit', { place: `${name} ${format.units.far}` })}
                      onClick={(event) => {
                        event.stopPropagation()
                        onPick(split)
                      }}
                    >
                      {name}
                    </UnstyledButton>
                  </Table.Th>
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
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}
