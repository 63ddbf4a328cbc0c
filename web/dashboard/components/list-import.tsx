import { Button, FileButton, Group, Paper, Stack, Table, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { decodeSpreadsheetText } from '../../../src/platform/basics/spreadsheet-text.ts'
import { type ApiError, hasStatus } from '../api/api-error.ts'
import { useFormat } from '../i18n/format.ts'
import { Failure, FormAlert } from './feedback.tsx'
import { startListProblems } from './list-problems.ts'

/** Time after the last key until a list is checked. */
const SETTLED_MS = 400
/** Rows of the preview: enough to see that the columns are right. */
const PREVIEW_ROWS = 8

/** A list as it was read, and the columns of which nothing was. */
type CheckedList<Person> = { people: Person[]; ignored?: readonly string[] | undefined }

type ListImportProps<Person, Stored> = {
  title: ReactNode
  help: string
  label: string
  description: string
  example: string
  /** Reads a list without storing anything. Failures name each wrong line. */
  check(csv: string): Promise<CheckedList<Person>>
  store(csv: string): Promise<Stored>
  onStored(stored: Stored): unknown
  /** Tells whether a list that could be read changes anything. */
  isWorthStoring?(people: readonly Person[]): boolean
  storeLabel: string
  onCancel?(): void
  /** Says how the list was read. */
  summary(people: readonly Person[]): ReactNode
  previewLabel: string
  columns: readonly { head: string; cell(person: Person): ReactNode }[]
  personId(person: Person): string
  /** A choice for everyone in the list. */
  children?: ReactNode
}

/** Takes people as CSV, pasted or as a file, shows how the list is read, names each wrong line, and stores it. */
export function ListImport<Person, Stored>(props: ListImportProps<Person, Stored>) {
  const { check, store, onStored, isWorthStoring, onCancel, children } = props
  const { t } = useTranslation()
  const listId = useId()
  const [csv, setCsv] = useState('')
  const [settled] = useDebouncedValue(csv, SETTLED_MS)
  const checked = useQuery({
    queryKey: ['checked list', listId, settled],
    queryFn: () => check(settled),
    enabled: settled.trim() !== '',
    retry: false,
    gcTime: 0,
  })
  const storing = useMutation({ mutationFn: () => store(csv), onSuccess: onStored })
  const isShown = checked.isSuccess && csv.trim() !== ''
  const isReady = isShown && settled === csv && (isWorthStoring?.(checked.data.people) ?? true)
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Stack>
        <div>
          {props.title}
          <Text c="dimmed" maw={720}>
            {props.help}
          </Text>
        </div>
        <CsvInput
          label={props.label}
          description={props.description}
          placeholder={props.example}
          value={csv}
          onChange={setCsv}
        />
        <Group>
          <CsvFileButton onChange={setCsv} />
        </Group>
        <div role="status">
          {checked.isError && <ListProblems error={checked.error} csv={settled} />}
          {isShown && <Preview {...checked.data} {...props} />}
        </div>
        {storing.isError && <Failure error={storing.error} />}
        <Group justify={children === undefined ? 'flex-end' : 'space-between'} align="flex-end">
          {children}
          <Group>
            {onCancel !== undefined && (
              <Button variant="default" onClick={onCancel}>
                {t('action.cancel')}
              </Button>
            )}
            <Button disabled={!isReady} loading={storing.isPending} onClick={() => storing.mutate()}>
              {props.storeLabel}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Paper>
  )
}

type PreviewProps<Person> = Omit<ListImportProps<Person, never>, 'store' | 'onStored'> & CheckedList<Person>

function Preview<Person>({ people, ignored = [], summary, previewLabel, columns, personId }: PreviewProps<Person>) {
  const { t } = useTranslation()
  return (
    <Stack gap="xs">
      <Text>{summary(people)}</Text>
      {ignored.length > 0 && <Text>{t('race.previewIgnored', { columns: ignored.join(', ') })}</Text>}
      <Table.ScrollContainer minWidth={320}>
        <Table aria-label={previewLabel}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ head }) => (
                <Table.Th key={head}>{head}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {people.slice(0, PREVIEW_ROWS).map((person) => (
              <Table.Tr key={personId(person)}>
                {columns.map(({ head, cell }) => (
                  <Table.Td key={head}>{cell(person)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}

type CsvInputProps = {
  label: string
  description: string
  placeholder: string
  value: string
  onChange(csv: string): void
}

/** Takes CSV that is pasted or dropped. */
function CsvInput({ label, description, placeholder, value, onChange }: CsvInputProps) {
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files
    if (file === undefined) return
    event.preventDefault()
    void textOf(file).then(onChange)
  }
  return (
    <Textarea
      label={label}
      description={description}
      placeholder={placeholder}
      autosize
      minRows={6}
      maxRows={14}
      spellCheck={false}
      styles={{ input: { fontFamily: 'ui-monospace, monospace', fontSize: '0.875rem' } }}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onDrop={drop}
    />
  )
}

async function textOf(file: File): Promise<string> {
  return decodeSpreadsheetText(new Uint8Array(await file.arrayBuffer()))
}

/** Takes CSV from a file that is chosen. */
function CsvFileButton({ onChange }: { onChange(csv: string): void }) {
  const { t } = useTranslation()
  const reset = useRef<() => void>(null)
  const take = async (file: File | null) => {
    if (file === null) return
    onChange(await textOf(file))
    reset.current?.()
  }
  return (
    <FileButton
      onChange={(file) => void take(file)}
      accept=".csv,.tsv,.txt,text/csv"
      resetRef={reset}
      inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
    >
      {(props) => (
        <Button {...props} variant="default" leftSection={<Upload size={16} aria-hidden />}>
          {t('race.chooseCsv')}
        </Button>
      )}
    </FileButton>
  )
}

/** Problems that are listed; a wrong column makes one in every line. */
const MAX_PROBLEMS = 12

/** Names each wrong line of a list of people, with its text. */
function ListProblems({ error, csv }: { error: unknown; csv: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!hasStatus(error, 400)) return <Failure error={error} />
  const problems = startListProblems((error as ApiError).problem?.errors ?? [], csv)
  return (
    <FormAlert>
      <Text fw={600}>{t('race.listWrong', { count: problems.length, figure: format.count(problems.length) })}</Text>
      <ul>
        {problems.slice(0, MAX_PROBLEMS).map(({ line, field, key, values, text }) => (
          <li key={`${line} ${field} ${key}`}>
            {line !== undefined && `${t('race.line', { line })} `}
            {field !== undefined && `(${t(`race.field.${field}`)}) `}
            {t(key, values)}
            {text !== undefined && (
              <>
                {' '}
                <code>{text}</code>
              </>
            )}
          </li>
        ))}
      </ul>
      {problems.length > MAX_PROBLEMS &&
        t('race.listWrongMore', { figure: format.count(problems.length - MAX_PROBLEMS) })}
    </FormAlert>
  )
}
