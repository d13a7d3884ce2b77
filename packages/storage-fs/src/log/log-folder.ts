import path from 'node:path';
import type { FileSystem } from '../files/file-system.ts';
import { fromSafePath } from '../files/safe-name.ts';

export interface TopicFolder {
  readonly topic: string;
  readonly directory: string;
}

export function topicsFolder(directory: string): string {
  return path.join(directory, 'topics');
}

/** Lists the topics of a log by their folders; anything that is no topic is skipped. */
export async function listTopics(topicsDirectory: string, fs: FileSystem): Promise<TopicFolder[]> {
  return (await fs.list(topicsDirectory)).flatMap(({ name, isDirectory }) => {
    const topic = isDirectory ? fromSafePath(name) : undefined;
    return topic === undefined ? [] : [{ topic, directory: path.join(topicsDirectory, name) }];
  });
}
