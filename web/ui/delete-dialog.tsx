import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'

type DeleteDialogProps = {
  opened: boolean
  onClose(): void
  onConfirm(): void
  busy: boolean
  title: string
  /** What will be gone. */
  children: ReactNode
  /** What is to be typed before anything is deleted; undefined asks for nothing. */
  typedName?: string
  failure?: ReactNode
  words: { confirm: string; cancel: string; close: string; type: string }
}

/** Asks before something is gone for good; for what holds other people's work, by having its name typed. */
export function DeleteDialog(props: DeleteDialogProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      closeButtonProps={{ 'aria-label': props.words.close }}
      centered
    >
      <DeleteForm {...props} />
    </Modal>
  )
}

function DeleteForm({ onClose, onConfirm, busy, children, typedName, failure, words }: DeleteDialogProps) {
  const [typed, setTyped] = useState('')
  const confirmed = typedName === undefined || typed.trim() === typedName.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (confirmed) onConfirm()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text component="div">{children}</Text>
        {typedName !== undefined && (
          <TextInput
            label={words.type}
            description={typedName}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {failure}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" color="red" loading={busy} disabled={!confirmed}>
            {words.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
