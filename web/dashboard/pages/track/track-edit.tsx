import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../../api/query-keys.ts'
import { changeTrack, type OperatorTrack } from '../../api/tracks.ts'
import { notify } from '../../feedback/notify.ts'
import { SubmitForm } from '../../forms/submit-form.tsx'
import { ACTIVITIES } from '../../tracks/activity-types.ts'
import { shownPart, trimOf, trimScale } from './trim.ts'
import { TrimInput } from './trim-input.tsx'

type Values = {
  title: string
  activityType: OperatorTrack['activity_type']
  userId: string
  /** The shown part, in seconds from the first point on. */
  trim: [number, number]
}

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
      trim: scale === undefined ? [0, 0] : trimOf(track, scale),
    },
    validate: { title: (title) => (title.trim() === '' ? t('track.titleMissing') : null) },
  })
  const changing = useMutation({
    mutationFn: ({ title, activityType, userId, trim }: Values) =>
      changeTrack(track.id, {
        title: title.trim(),
        activity_type: activityType,
        user_id: userId.trim() === '' ? null : userId.trim(),
        // A stored time is exact, and the control only to its step: an untouched one is not sent.
        ...(scale !== undefined && form.isDirty('trim') && shownPart(trim, scale)),
      }),
    onSuccess: async () => {
      notify(t('action.saved'))
      onDone()
      await client.invalidateQueries({ queryKey: queryKeys.track(track.id) })
      await client.invalidateQueries({ queryKey: queryKeys.event(track.event.id) })
    },
  })
  return (
    <SubmitForm
      onSubmit={form.onSubmit((values) => changing.mutate(values))}
      submitting={changing}
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
      {scale !== undefined && (
        <TrimInput
          scale={scale}
          defaultValue={form.getValues().trim}
          onChange={(trim) => form.setFieldValue('trim', trim)}
        />
      )}
    </SubmitForm>
  )
}
