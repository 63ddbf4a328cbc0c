import {
  Button,
  FileButton,
  Group,
  NumberInput,
  Paper,
  Progress,
  Radio,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2, Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mapUploadAddress } from '../api/addresses.ts'
import { ApiError } from '../api/api-error.ts'
import { sendFile } from '../api/request.ts'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { Failure, FormAlert } from '../components/feedback.tsx'
import { RowButton } from '../components/lists.tsx'
import { getMapSettingsQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { deleteMapFile } from '../generated/sdk.gen.ts'
import type { MapFile, MapSettings } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { elevationFiles, type MapDraft } from './map-draft.ts'

type MapFileFieldsProps = { settings: MapSettings; draft: MapDraft; onChange(changes: Partial<MapDraft>): void }

/** Chooses a map file, and uploads and deletes files. */
export function MapFileFields({ settings, draft, onChange }: MapFileFieldsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { files, max_file_bytes: maxFileBytes } = settings
  const [deleting, setDeleting] = useState<MapFile>()
  const chosen = files.find(({ id }) => id === draft.file_id)
  return (
    <>
      {files.length === 0 ? (
        <Text size="sm">{t('map.noFiles')}</Text>
      ) : (
        <Radio.Group
          label={t('map.file')}
          value={draft.file_id}
          onChange={(file_id) => onChange({ file_id, attribution: null })}
        >
          <Stack gap="xs" mt="xs">
            {files.map((file) => (
              <FileRow key={file.id} file={file} onDelete={() => setDeleting(file)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <MapFileUpload
        label={t('map.upload')}
        help={t('map.uploadHelp', { size: format.bytes(maxFileBytes) })}
        maxFileBytes={maxFileBytes}
        onUploaded={({ id }) => onChange({ file_id: id, attribution: null })}
      />
      {chosen?.facts?.format === 'raster' && (
        <TextInput
          label={t('map.attributionText')}
          description={t('map.attributionHelp')}
          placeholder={chosen.facts.attribution ?? ''}
          maxLength={200}
          autoComplete="off"
          value={draft.attribution ?? ''}
          onChange={(event) => onChange({ attribution: event.currentTarget.value })}
        />
      )}
      {deleting !== undefined && <FileDelete file={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

/** Chooses a file with elevations, for every kind of map, and says how exact they are. */
export function TerrainFields({ settings, draft, onChange }: MapFileFieldsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { files, max_file_bytes: maxFileBytes } = settings
  const withElevations = elevationFiles(files)
  return (
    <Paper withBorder p="md" mt="lg" bg="var(--panel-background)">
      <Stack gap="md" className="map-settings-fields">
        <Select
          label={t('map.elevation')}
          description={t('map.elevationHelp')}
          placeholder={t('map.elevationNone')}
          clearable
          data={withElevations.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.elevation_file_id}
          onChange={(id) => onChange({ elevation_file_id: id, elevation_error_m: null })}
        />
        {draft.elevation_file_id !== null && (
          <NumberInput
            label={t('map.elevationError')}
            description={t('map.elevationErrorHelp')}
            placeholder={t('map.elevationErrorUsual')}
            min={0.1}
            max={30}
            step={0.5}
            decimalScale={1}
            hideControls
            value={draft.elevation_error_m ?? ''}
            onChange={(meters) => onChange({ elevation_error_m: meters === '' ? null : Number(meters) })}
          />
        )}
        <MapFileUpload
          label={t('map.elevationUpload')}
          help={t('map.elevationUploadHelp', { size: format.bytes(maxFileBytes) })}
          maxFileBytes={maxFileBytes}
          onUploaded={({ id }) => onChange({ elevation_file_id: id, elevation_error_m: null })}
        />
      </Stack>
    </Paper>
  )
}

function FileRow({ file, onDelete }: { file: MapFile; onDelete(): void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, name, place, size_bytes: sizeBytes, facts, fault, is_in_use: isInUse } = file
  const about = [
    facts && t(`map.format.${facts.format}`),
    facts && t('map.zooms', { from: facts.min_zoom, to: facts.max_zoom }),
    format.bytes(sizeBytes),
    place === 'folder' ? t('map.inFolder') : undefined,
  ]
  return (
    <Group justify="space-between" align="flex-start" gap="xs">
      <Radio
        className="map-settings-file"
        value={id}
        disabled={facts === null}
        label={<span style={{ overflowWrap: 'anywhere' }}>{name}</span>}
        description={fault === null ? about.filter(Boolean).join(' · ') : t(`map.fault.${fault}`)}
      />
      {place === 'uploaded' && !isInUse && (
        <RowButton
          leftSection={<Trash2 size={14} aria-hidden />}
          onClick={onDelete}
          style={{ flexShrink: 0 }}
          aria-label={t('map.deleteThis', { name })}
        >
          {t('action.delete')}
        </RowButton>
      )}
    </Group>
  )
}

function FileDelete({ file, onClose }: { file: MapFile; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      onClose={onClose}
      action={() => deleteMapFile({ path: { id: file.id } })}
      doneMessage={t('map.deleted', { name: file.name })}
      changes={[{ queryKey: getMapSettingsQueryKey() }]}
      title={t('action.deleteThis', { name: file.name })}
      confirmLabel={t('map.delete')}
    >
      {t('map.deleteHelp')}
    </ConfirmDialog>
  )
}

type MapFileUploadProps = { label: string; help: string; maxFileBytes: number; onUploaded(file: MapFile): void }

/** Uploads a map file, with its progress and a button that stops it. */
function MapFileUpload({ label, help, maxFileBytes, onUploaded }: MapFileUploadProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [sentBytes, setSentBytes] = useState(0)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const uploading = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > maxFileBytes) throw new TooLarge()
      stop.current = new AbortController()
      setSentBytes(0)
      return await sendMapFile(file, { signal: stop.current.signal, onSent: setSentBytes })
    },
    onSuccess: async (file) => {
      await client.invalidateQueries({ queryKey: getMapSettingsQueryKey() })
      onUploaded(file)
    },
  })
  const { isPending, error, variables: file } = uploading
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <FileButton accept=".pmtiles" onChange={(chosen) => chosen && uploading.mutate(chosen)} disabled={isPending}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<Upload size={16} aria-hidden />} loading={isPending}>
              {label}
            </Button>
          )}
        </FileButton>
        {isPending && (
          <Button variant="subtle" onClick={() => stop.current?.abort(new DOMException('stopped', 'AbortError'))}>
            {t('action.cancel')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {help}
      </Text>
      {isPending && file !== undefined && (
        <>
          <Progress
            value={(100 * sentBytes) / Math.max(1, file.size)}
            aria-label={t('map.uploading', { name: file.name })}
          />
          <Text size="sm" role="status">
            {t('map.uploading', { name: file.name })}
          </Text>
        </>
      )}
      {!isPending && error !== null && <UploadFailure error={error} maxFileBytes={maxFileBytes} />}
    </Stack>
  )
}

/** Thrown for a file that the server would refuse, before any of it is sent. */
class TooLarge extends Error {}

function UploadFailure({ error, maxFileBytes }: { error: Error; maxFileBytes: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (error.name === 'AbortError') return null
  if (error instanceof TooLarge || (error instanceof ApiError && error.status === 413))
    return <FormAlert>{t('map.tooLarge', { size: format.bytes(maxFileBytes) })}</FormAlert>
  const fault = error instanceof ApiError ? faultOf(error) : undefined
  return fault === undefined ? <Failure error={error} /> : <FormAlert>{t(`map.fault.${fault}`)}</FormAlert>
}

/** Returns the kind of fault that the server names. */
function faultOf({ problem }: ApiError): NonNullable<MapFile['fault']> | undefined {
  return problem?.fault as NonNullable<MapFile['fault']> | undefined
}

/** Uploads a map file and reports its progress. */
async function sendMapFile(
  file: File,
  options: { signal: AbortSignal; onSent(sentBytes: number): void },
): Promise<MapFile> {
  const sent = sendFile('POST', mapUploadAddress(file.name), file, { ...options, type: 'application/vnd.pmtiles' })
  return JSON.parse(await sent) as MapFile
}
