import { Group, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

/** The fields of an event's form; an empty text means none. */
export type EventFields = { name: string; startsOn: string; endsOn: string; note: string }

export const EMPTY_EVENT: EventFields = { name: '', startsOn: '', endsOn: '', note: '' }

/** The inputs for name, days and note, when creating and when editing an event. */
export function EventFieldInputs<Values extends EventFields>({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('field.name')}
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

/** Returns the rules that the fields are checked by. */
export function eventRules(t: TFunction) {
  return {
    name: (name: string) => (name.trim() === '' ? t('field.nameMissing') : null),
    endsOn: (last: string, { startsOn }: EventFields) =>
      last !== '' && last < startsOn ? t('event.endsBefore') : null,
  }
}

/** Converts the fields into the body of a request. */
export function eventOfFields({ name, startsOn, endsOn, note }: EventFields) {
  return {
    name: name.trim(),
    starts_on: startsOn === '' ? null : startsOn,
    ends_on: endsOn === '' ? null : endsOn,
    note: note.trim() === '' ? null : note,
  }
}
