import { Box, Button, Group, Input, RangeSlider, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import type { TrimScale } from './trim.ts'

type TrimInputProps = {
  scale: TrimScale
  defaultValue: [number, number]
  onChange(trim: [number, number]): void
}

/** Chooses the part of a track that is shown, on a slider from its first to its last point. */
export function TrimInput({ scale, defaultValue, onChange }: TrimInputProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { firstMs, spanSec, stepSec } = scale
  const [trim, setTrim] = useState(defaultValue)
  const change = (next: [number, number]) => {
    setTrim(next)
    onChange(next)
  }
  const timeOf = (sec: number) => format.time(firstMs + sec * 1000)
  const [fromSec, untilSec] = trim
  const hidden = [
    ...(fromSec > 0 ? [t('track.hiddenAtStart', { duration: format.span(fromSec) })] : []),
    ...(untilSec < spanSec ? [t('track.hiddenAtEnd', { duration: format.span(spanSec - untilSec) })] : []),
  ]
  return (
    <Input.Wrapper label={t('track.shownPart')} labelElement="div" description={t('track.shownPartHelp')}>
      <Box px="sm" pt="sm">
        <RangeSlider
          min={0}
          max={spanSec}
          step={stepSec}
          minRange={stepSec}
          value={trim}
          onChange={change}
          label={null}
          thumbFromLabel={t('track.shownFrom')}
          thumbToLabel={t('track.shownUntil')}
          thumbValueText={timeOf}
        />
      </Box>
      <Group justify="space-between" mt="xs" gap="xs" className="figures">
        <Text size="sm">{timeOf(fromSec)}</Text>
        <Text size="sm">{timeOf(untilSec)}</Text>
      </Group>
      <Group justify="space-between" mih={30} gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {hidden.length === 0 ? t('track.nothingHidden') : hidden.join(' · ')}
        </Text>
        {hidden.length > 0 && (
          <Button size="compact-sm" variant="subtle" onClick={() => change([0, spanSec])}>
            {t('track.showAll')}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  )
}
