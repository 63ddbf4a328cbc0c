import { Box, Button, Group, Input, NativeSelect, RangeSlider, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { aboutKey } from '../api/query-client.ts'
import { notify } from '../components/feedback.tsx'
import { ResourceForm, textOrNull } from '../components/forms.tsx'
import { operatorUpdateTrack } from '../generated/sdk.gen.ts'
import type { OperatorTrack } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { ACTIVITIES } from './track-search.ts'
import { shownPart, type TrimScale, trimOf, trimScale } from './trim.ts'

type Values = {
  title: string
  activityType: OperatorTrack['activity_type']
  userId: string
  /** Empty for unknown. */
  altitudeReference: NonNullable<OperatorTrack['altitude_reference']> | ''
  /** The shown part, in seconds from the first point on. */
  trim: [number, number]
}

/** Zeros that altitudes may have; empty for unknown. */
const REFERENCES = ['', 'sea_level', 'ellipsoid'] as const

/** Corrects a track, and trims the part of it that is shown. */
export function TrackEdit({ track, onDone }: { track: OperatorTrack; onDone(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const scale = trimScale(track)
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: {
      title: track.title,
      activityType: track.activity_type,
      userId: track.user_id ?? '',
      altitudeReference: track.altitude_reference ?? '',
      trim: scale === undefined ? [0, 0] : trimOf(track, scale),
    },
    validate: { title: (title) => (title.trim() === '' ? t('track.titleMissing') : null) },
  })
  const bodyOf = ({ title, activityType, userId, altitudeReference, trim }: Values) => ({
    title: title.trim(),
    activity_type: activityType,
    user_id: textOrNull(userId),
    altitude_reference: altitudeReference === '' ? null : altitudeReference,
    // A stored time is exact, and the control only to its step: an untouched one is not sent.
    ...(scale !== undefined && form.isDirty('trim') && shownPart(trim, scale)),
  })
  return (
    <ResourceForm
      form={form}
      save={(values) => operatorUpdateTrack({ path: { id: track.id }, body: bodyOf(values) })}
      onSaved={async () => {
        notify(t('action.saved'))
        onDone()
        await client.invalidateQueries({ queryKey: aboutKey(track.id) })
        await client.invalidateQueries({ queryKey: aboutKey(track.event.id) })
      }}
      submitLabel={t('action.save')}
      onCancel={onDone}
    >
      <TextInput
        label={t('field.title')}
        required
        maxLength={500}
        autoComplete="off"
        data-autofocus
        key={form.key('title')}
        {...form.getInputProps('title')}
      />
      <NativeSelect
        label={t('tracks.activity')}
        description={t('track.activityHelp')}
        data={ACTIVITIES.map((activity) => ({ value: activity, label: t(`activity.${activity}`) }))}
        key={form.key('activityType')}
        {...form.getInputProps('activityType')}
      />
      <TextInput
        label={t('tracks.user')}
        description={t('track.personHelp')}
        maxLength={255}
        autoComplete="off"
        key={form.key('userId')}
        {...form.getInputProps('userId')}
      />
      <NativeSelect
        label={t('track.altitudesAreAbove')}
        description={t('track.altitudesAreAboveHelp')}
        data={REFERENCES.map((value) => ({ value, label: t(`track.above.${value || 'unknown'}`) }))}
        key={form.key('altitudeReference')}
        {...form.getInputProps('altitudeReference')}
      />
      {scale !== undefined && (
        <TrimInput
          scale={scale}
          defaultValue={form.getValues().trim}
          onChange={(trim) => form.setFieldValue('trim', trim)}
        />
      )}
    </ResourceForm>
  )
}

type TrimInputProps = {
  scale: TrimScale
  defaultValue: [number, number]
  onChange(trim: [number, number]): void
}

/** Chooses the part of a track that is shown, on a slider from its first to its last point. */
function TrimInput({ scale, defaultValue, onChange }: TrimInputProps) {
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
