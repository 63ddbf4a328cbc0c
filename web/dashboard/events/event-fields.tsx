import {
  type ComboboxItem,
  Group,
  NumberInput,
  type OptionsFilter,
  Select,
  type SelectProps,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { foldText } from '../../../src/platform/basics/text.ts'
import { DEFAULT_LOW_BATTERY_PERCENT, DEFAULT_NO_SIGNAL_AFTER_SEC } from '../../../src/tracks/model/event-rules.ts'
import { NameInput, nameRule } from '../components/forms.tsx'
import type { OperatorEvent } from '../generated/types.gen.ts'

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
      <NameInput form={form} />
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
    name: nameRule(t),
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

/** Zones shown at once; one types to find another. */
const SHOWN_ZONES = 100

type TimeZoneSelectProps = SelectProps & {
  /** The zone of an event without one of its own, if known. */
  serverZone?: string
}

/** Chooses a time zone by typing a part of its name; none for the server's. */
function TimeZoneSelect({ serverZone, ...input }: TimeZoneSelectProps) {
  const { t } = useTranslation()
  const chosen = input.defaultValue ?? input.value
  const zones = useMemo(() => zoneItems(chosen), [chosen])
  return (
    <Select
      label={t('event.timeZone')}
      description={t('event.timeZoneHelp')}
      placeholder={serverZone === undefined ? t('event.timeZoneOfServer') : t('event.timeZoneIs', { zone: serverZone })}
      data={zones}
      searchable
      clearable
      limit={SHOWN_ZONES}
      filter={filterZones}
      nothingFoundMessage={t('event.timeZoneUnknown')}
      clearButtonProps={{ 'aria-label': t('event.timeZoneClear') }}
      {...input}
    />
  )
}

/** Lists the zones that the browser knows, and the chosen one, which only the server may know. */
function zoneItems(chosen: string | null | undefined): ComboboxItem[] {
  const known = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(chosen ? [chosen] : [])])
  return [...known].map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}

/** Finds `new york` in `America/New York`, and `cafe` where a name has an accent. */
const filterZones: OptionsFilter = ({ options, search }) => {
  const words = foldText(search).split(/[\s/_]+/)
  return (options as ComboboxItem[]).filter(({ label }) => words.every((word) => foldText(label).includes(word)))
}

/** The fields of an event's live view: minutes and per cent; empty for the default. */
export type WatchFields = {
  noSignalAfterMin: number | string
  lowBatteryPercent: number | string
  spectatorDelayMin: number | string
}

const MINUTES_OF_A_DAY = 1440

/** The inputs for when a runner counts as silent, a battery as low, and how much later spectators see everything. */
export function WatchFieldInputs<Values extends WatchFields>({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation()
  return (
    <>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <NumberInput
          label={t('event.noSignalAfter')}
          description={t('event.noSignalAfterHelp')}
          placeholder={String(DEFAULT_NO_SIGNAL_AFTER_SEC / 60)}
          min={0.5}
          max={MINUTES_OF_A_DAY}
          decimalScale={2}
          allowNegative={false}
          miw="min(13.75rem, 100%)"
          key={form.key('noSignalAfterMin')}
          {...form.getInputProps('noSignalAfterMin')}
        />
        <NumberInput
          label={t('event.lowBattery')}
          description={t('event.lowBatteryHelp')}
          placeholder={String(DEFAULT_LOW_BATTERY_PERCENT)}
          min={0}
          max={100}
          allowDecimal={false}
          allowNegative={false}
          miw="min(13.75rem, 100%)"
          key={form.key('lowBatteryPercent')}
          {...form.getInputProps('lowBatteryPercent')}
        />
      </Group>
      <NumberInput
        label={t('event.spectatorDelay')}
        description={t('event.spectatorDelayHelp')}
        placeholder="0"
        min={0}
        max={MINUTES_OF_A_DAY}
        decimalScale={2}
        allowNegative={false}
        key={form.key('spectatorDelayMin')}
        {...form.getInputProps('spectatorDelayMin')}
      />
    </>
  )
}

/** Returns the fields of an event; empty where the default holds. */
export function watchFieldsOf(event: OperatorEvent): WatchFields {
  return {
    noSignalAfterMin: minutesOf(event.no_signal_after_sec),
    lowBatteryPercent: event.low_battery_percent ?? '',
    spectatorDelayMin: minutesOf(event.spectator_delay_sec),
  }
}

/** Converts the fields into members of a request's body. */
export function eventOfWatchFields({ noSignalAfterMin, lowBatteryPercent, spectatorDelayMin }: WatchFields) {
  return {
    no_signal_after_sec: secondsOf(noSignalAfterMin),
    low_battery_percent: lowBatteryPercent === '' ? null : Number(lowBatteryPercent),
    spectator_delay_sec: secondsOf(spectatorDelayMin),
  }
}

function minutesOf(sec: number | null): number | string {
  return sec === null ? '' : Math.round((sec / 60) * 100) / 100
}

function secondsOf(minutes: number | string): number | null {
  return minutes === '' ? null : Math.round(Number(minutes) * 60)
}
