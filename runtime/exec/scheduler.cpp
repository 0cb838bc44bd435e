#include "runtime/exec/scheduler.h"

#include <chrono>

#include "ir/check.h"

namespace pravo::runtime {

Scheduler::Scheduler(TaskRunner& runner, unsigned parallelism)
    : runner_(runner), parallelism_(parallelism == 0 ? 1 : parallelism) {}

Scheduler::~Scheduler() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_there_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Scheduler::make_ready(TaskId task) { ready_.push({{tasks_[task].rank, sequence_++}, task}); }

TaskId Scheduler::add_task(uint32_t rank, uint32_t holds) {
  auto id = static_cast<TaskId>(tasks_.size());
  tasks_.push_back({rank, holds, false});
  if (holds == 0) make_ready(id);
  return id;
}

void Scheduler::release(TaskId task) {
  PRAVOC_CHECK(tasks_[task].holds > 0);
  if (--tasks_[task].holds == 0) make_ready(task);
}

EventId Scheduler::new_event() {
  events_.emplace_back();
  return static_cast<EventId>(events_.size() - 1);
}

void Scheduler::signal(EventId event) {
  Event& e = events_[event];
  if (e.signaled) return;
  e.signaled = true;
  std::vector<TaskId> waiters = std::move(e.waiters);
  e.waiters.clear();
  for (TaskId task : waiters) release(task);
}

void Scheduler::wait(TaskId task, std::span<const EventId> events) {
  // One hold of its own, so that it does not become ready half way through.
  tasks_[task].holds = 1;
  tasks_[task].ran = false;
  for (EventId event : events) {
    if (events_[event].signaled) continue;
    ++tasks_[task].holds;
    events_[event].waiters.push_back(task);
  }
  release(task);
}

void Scheduler::offload(std::function<void()> work, std::function<void()> finish) {
  ++under_way_;
  {
    std::lock_guard lock(mutex_);
    queue_.push_back({std::move(work), std::move(finish)});
  }
  if (threads_.size() < parallelism_ && threads_.size() < under_way_) threads_.emplace_back([this] { work_loop(); });
  work_there_.notify_one();
}

void Scheduler::work_loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_there_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    Work work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work.work();
    work.work = nullptr;
    lock.lock();
    finished_.push_back(std::move(work.finish));
    work_done_.notify_one();
  }
}

void Scheduler::run() {
  while (true) {
    // What providers have finished comes first: it makes more work ready. Nothing is handed out that could not start at
    // once: whoever is to be stopped, or fails, before its turn comes must not have been announced as begun.
    const bool wait = ready_.empty() || under_way_ >= parallelism_;
    std::deque<std::function<void()>> finished;
    if (under_way_ > 0) {
      std::unique_lock lock(mutex_);
      if (wait && finished_.empty()) {
        // Wakes up now and then for the sake of who watches.
        work_done_.wait_for(lock, std::chrono::milliseconds(100), [this] { return !finished_.empty(); });
      }
      finished.swap(finished_);
    }
    for (std::function<void()>& finish : finished) {
      --under_way_;
      finish();
    }
    if (!finished.empty()) continue;
    if (idle_ && under_way_ > 0 && wait) idle_();
    if (wait) {
      if (under_way_ == 0) return;
      continue;
    }
    TaskId task = ready_.top().second;
    ready_.pop();
    tasks_[task].ran = true;
    runner_.run_task(task);
  }
}

std::vector<TaskId> Scheduler::stuck() const {
  std::vector<TaskId> out;
  for (TaskId task = 0; task < tasks_.size(); ++task)
    if (!tasks_[task].ran) out.push_back(task);
  return out;
}

}  // namespace pravo::runtime
