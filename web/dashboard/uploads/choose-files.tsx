import { Button, FileButton } from '@mantine/core'
import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

const PDF = 'application/pdf,.pdf'

type ChooseFilesProps = {
  onFiles(files: File[]): void
  isPrimary?: boolean
  label?: string
  accept?: string
  single?: boolean
}

/** A button that opens the browser's file dialog. The same file can be chosen again afterwards. */
export function ChooseFiles({ onFiles, isPrimary = true, label, accept = PDF, single = false }: ChooseFilesProps) {
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
