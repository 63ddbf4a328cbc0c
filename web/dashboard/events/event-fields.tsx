import { Group, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { TimeZoneSelect } from './time-zone-select.tsx'

/** The fields of an event's form; an empty text means none. */
export type EventFields = {
  name: string
  startsOn: string
  endsOn: string
  note: string
  /** IANA name; null for the zone of the server. */
  timeZone: string | null
}

export const EMPTY_EVENT: EventFields = { name: '', startsOn: '', endsOn: '', note: '', timeZone: null }

type EventFieldInputsProps<Values extends EventFields> = {
  form: UseFormReturnType<Values>
  /** The zone of an event without one of its own, if known. */
  serverZone?: string
}

/** The inputs for name, days, time zone and note, when creating and when editing an event. */
export function EventFieldInputs<Values extends EventFields>({ form, serverZone }: EventFieldInputsProps<Values>) {
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
      <TimeZoneSelect serverZone={serverZone} key={form.key('timeZone')} {...form.getInputProps('timeZone')} />
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
export function eventOfFields({ name, startsOn, endsOn, note, timeZone }: EventFields) {
  return {
    name: name.trim(),
    starts_on: startsOn === '' ? null : startsOn,
    ends_on: endsOn === '' ? null : endsOn,
    note: note.trim() === '' ? null : note,
    time_zone: timeZone,
  }
}
