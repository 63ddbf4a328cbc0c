import { Button, Center, FileButton, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { FileUp, Upload } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

const SOURCES = 'application/pdf,.pdf,.zip,.cbz,.jpg,.jpeg,.png,.webp,.avif,.tif,.tiff'

type ChooseFilesProps = {
  onFiles(files: File[]): void
  isPrimary?: boolean
  label?: string
  accept?: string
  single?: boolean
}

/** A button that opens the browser's file dialog. The same file can be chosen again afterwards. */
export function ChooseFiles({ onFiles, isPrimary = true, label, accept = SOURCES, single = false }: ChooseFilesProps) {
  const { t } = useTranslation()
  const reset = useRef<() => void>(null)
  const take = (chosen: File | File[] | null) => {
    if (chosen !== null) onFiles([chosen].flat())
    reset.current?.()
  }
  return (
    <FileButton
      onChange={take}
      accept={accept}
      multiple={!single}
      resetRef={reset}
      inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
    >
      {(props) => (
        <Button {...props} variant={isPrimary ? 'filled' : 'default'} leftSection={<Upload size={16} aria-hidden />}>
          {label ?? t('upload.choose')}
        </Button>
      )}
    </FileButton>
  )
}

/** Accepts files dropped anywhere in the window, with a hint while they are dragged over it. */
export function DropAnywhere({ onFiles, label }: { onFiles(files: File[]): void; label?: string }) {
  const { t } = useTranslation()
  return (
    // Every file is accepted here; the list of uploads tells why one is refused.
    <Dropzone.FullScreen
      active
      activateOnKeyboard={false}
      onDrop={onFiles}
      loaderProps={{ 'aria-hidden': true }}
      inputProps={{ 'aria-label': label ?? t('upload.dropHere') }}
    >
      <Center h="calc(100dvh - 80px)">
        <Stack align="center">
          <FileUp size={56} aria-hidden />
          <Text size="xl">{label ?? t('upload.dropHere')}</Text>
        </Stack>
      </Center>
    </Dropzone.FullScreen>
  )
}
