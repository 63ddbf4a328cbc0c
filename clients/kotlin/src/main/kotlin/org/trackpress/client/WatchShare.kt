package org.trackpress.client

/** Prints the positions of a share until it ends: `WatchShare <address of the server> <token of the share>`. */
fun main(arguments: Array<String>) {
    val (baseUrl, shareToken) = arguments
    try {
        ShareWatcher(baseUrl, shareToken).watch { frame ->
            println("frame ${frame.number}, tracks that changed: ${frame.changed.size}")
            for (track in frame.changed) println("${track.id} ${track.state} ${track.latitude} ${track.longitude}")
            true
        }
    } catch (ended: ShareEndedException) {
        println("ended ${ended.status}")
    }
}
