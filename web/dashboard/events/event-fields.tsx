import { Group, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'

/** What people fill in about an event; an empty text means none. */
export type EventFields = { name: string; startsOn: string; endsOn: string; note: string }

export const EMPTY_EVENT: EventFields = { name: '', startsOn: '', endsOn: '', note: '' }

/** Name, days and note, as creating and changing an event have them. */
export function EventFieldInputs<Values extends EventFields>({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('event.name')}
        required
        maxLength={200}
        autoComplete="off"
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <Group grow align="flex-start">
        <TextInput
          type="date"
          label={t('event.startsOn')}
          key={form.key('startsOn')}
          {...form.getInputProps('startsOn')}
        />
        <TextInput type="date" label={t('event.endsOn')} key={form.key('endsOn')} {...form.getInputProps('endsOn')} />
      </Group>
      <Textarea
        label={t('event.note')}
        description={t('event.noteHelp')}
        autosize
        minRows={2}
        maxLength={5000}
        key={form.key('note')}
        {...form.getInputProps('note')}
      />
    </>
  )
}

/** The fields as the server takes them. */
export function eventOfFields({ name, startsOn, endsOn, note }: EventFields) {
  return {
    name: name.trim(),
    starts_on: startsOn === '' ? null : startsOn,
    ends_on: endsOn === '' ? null : endsOn,
    note: note.trim() === '' ? null : note,
  }
}
