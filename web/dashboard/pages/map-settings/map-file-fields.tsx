import { Button, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteMapFile, type MapFile, type MapSettings } from '../../api/map.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { notify } from '../../feedback/notify.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useFormat } from '../../i18n/format.ts'
import { elevationFiles, type MapDraft } from './map-draft.ts'
import { MapFileUpload } from './map-file-upload.tsx'

type MapFileFieldsProps = { settings: MapSettings; draft: MapDraft; onChange(changes: Partial<MapDraft>): void }

/** Chooses a map file and one with elevations, and uploads and deletes files. */
export function MapFileFields({ settings, draft, onChange }: MapFileFieldsProps) {
  const { t } = useTranslation()
  const { files, max_file_bytes: maxFileBytes } = settings
  const [deleting, setDeleting] = useState<MapFile>()
  const chosen = files.find(({ id }) => id === draft.file_id)
  const withElevations = elevationFiles(files).filter(({ id }) => id !== draft.file_id)
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
        maxFileBytes={maxFileBytes}
        onUploaded={({ id }) => onChange({ file_id: id, attribution: null })}
      />
      {withElevations.length > 0 && (
        <Select
          label={t('map.elevation')}
          description={t('map.elevationHelp')}
          placeholder={t('map.elevationNone')}
          clearable
          data={withElevations.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.elevation_file_id}
          onChange={(id) => onChange({ elevation_file_id: id })}
        />
      )}
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
        <Button
          size="xs"
          variant="default"
          leftSection={<Trash2 size={14} aria-hidden />}
          onClick={onDelete}
          style={{ flexShrink: 0 }}
          aria-label={t('map.deleteThis', { name })}
        >
          {t('action.delete')}
        </Button>
      )}
    </Group>
  )
}

function FileDelete({ file, onClose }: { file: MapFile; onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => deleteMapFile(file.id),
    onSuccess: async () => {
      onClose()
      notify(t('map.deleted', { name: file.name }))
      await client.invalidateQueries({ queryKey: queryKeys.map })
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
      confirming={deleting}
      title={t('action.deleteThis', { name: file.name })}
      confirmLabel={t('map.delete')}
    >
      {t('map.deleteHelp')}
    </ConfirmDialog>
  )
}
